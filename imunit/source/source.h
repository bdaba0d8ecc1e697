// The functions of a C++ file and their statements, by their text: what migration needs to find the statement
// that is under way at a line, and to insert others. A use of a macro is a statement like any other.
//
// Limits: text that only the preprocessor makes balanced is refused (`problem`). Both branches of an #if are
// read.
//
// Cost: one pass over the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "imunit/source/tokens.h"

namespace reex::inference {

// Which statement; an index into Source::statements(). Below -1, the end of a function's body.
using StatementId = int;
constexpr StatementId k_no_statement = -1;
constexpr StatementId end_of_function(int function) { return -2 - function; }
constexpr bool is_end(StatementId id) { return id < k_no_statement; }
constexpr int function_of_end(StatementId id) { return -2 - id; }

struct Statement {
  enum class Kind : std::uint8_t { plain, declaration, control, loop, leave };
  Kind kind = Kind::plain; // `leave`: return, break, continue, goto, throw
  std::size_t begin = 0;   // offsets in the text
  std::size_t end = 0;     // behind its ';' or '}'
  int function = 0;        // in whose body it is
  int parent = -1;         // the control statement around it
  int block = 0;           // statements of one block have one number
  bool braced = true;      // false: the body of a control statement, without braces of its own
  bool in_loop = false;    // within its function
  bool in_section = false; // of Catch2 or doctest: the test's function is called once for each
  std::vector<std::string>
      calls;            // names of what it calls, in the order of the text, without those in lambdas
  std::string variable; // what it declares or assigns; ""
  std::string word;     // the first name that is no macro's; ""
};

struct Function {
  std::size_t open = 0;  // offset of the '{'
  std::size_t close = 0; // of the '}'
  int parent = -1;       // the function around a lambda or a local class
  int inside = -1;       // the statement around it
  bool lambda = false;
  std::string name; // of a lambda: the variable that its statement declares, as `adder`; "" for none
};

class Source {
public:
  Source(std::string path, std::string text);
  Source(const Source&) = delete; // the tokens refer to the text
  Source& operator=(const Source&) = delete;

  const std::string& path() const { return m_path; }
  const std::string& text() const { return m_text; }
  const std::string& problem() const { return m_problem; } // why it cannot be used; "" if it can
  const std::vector<Statement>& statements() const { return m_statements; }
  const std::vector<Function>& functions() const { return m_functions; }

  std::size_t offset(unsigned line, unsigned column) const; // from 1; column 0: the line's first sign
  unsigned line(std::size_t offset) const;
  unsigned column(std::size_t offset) const;

  // The innermost function whose body contains the offset; -1 for none.
  int function_at(std::size_t offset) const;
  // The innermost statement of that function; the end of the function if the offset is behind all of them.
  StatementId statement_at(std::size_t offset) const;
  int function_of(StatementId id) const;
  // The statements of the block that contains `id`, in order; of an end, those of the function's body.
  std::vector<StatementId> siblings(StatementId id) const;
  // The outermost statement first, `id` last; an end is alone.
  std::vector<StatementId> path(StatementId id) const;
  bool contains(int outer_function, int function) const; // itself, or lexically around it
  // "{ ... }": what is under way there, and in no statement inside, is its end.
  bool is_block(StatementId id) const { return id >= 0 && text_of(id).starts_with('{'); }
  std::string_view text_of(StatementId id) const;
  unsigned line_of(StatementId id) const; // of its begin; of an end, the line of the '}'

private:
  friend class Parser;
  std::string m_path;
  std::string m_text;
  std::string m_problem;
  std::vector<std::size_t> m_lines; // offsets of their begins
  std::vector<Statement> m_statements;
  std::vector<Function> m_functions;
};

} // namespace reex::inference
