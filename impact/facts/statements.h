// The statements of a source file and the functions that they stand in, as places where text can be inserted.
// Offsets are bytes from the beginning of the file; a range ends behind its last byte.
//
// Callers: promotion/, in the parent process.
//
// Cost: one libclang parse of the unit.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "impact/facts/parse.h"

namespace reex::impact {

struct Statement {
  std::size_t begin = 0;
  std::size_t end = 0;   // behind its semicolon or brace
  bool in_block = true;  // false: it is the body of an if or a loop without braces
  bool is_block = false; // braces, as a statement or as the body of a function or lambda
  bool leaves = false;   // return, break, continue, goto: nothing is executed behind it

  auto operator<=>(const Statement&) const = default;
};

struct FunctionText {
  std::string name; // qualified, without parameters; of a lambda ""
  std::size_t begin = 0;
  std::size_t body = 0; // its opening brace
  std::size_t end = 0;

  auto operator<=>(const FunctionText&) const = default;
};

struct SourceShape {
  std::vector<Statement> statements;   // sorted; also the bodies of functions and lambdas, as blocks
  std::vector<FunctionText> functions; // with a body in this file, sorted
  bool empty() const { return statements.empty(); }
};

// The shapes of those files that the unit reads. A file that it does not read is not in the result. `problem`
// gets a line if nothing could be parsed.
std::map<std::string, SourceShape>
parse_statements(const ParseJob& job, const std::vector<std::string>& files, std::string& problem);

} // namespace reex::impact
