// Fills a Source: cuts its text into functions and statements.
#pragma once

#include <string_view>
#include <vector>

#include "imunit/source/source.h"

namespace reex::inference {

class Parser {
public:
  explicit Parser(Source& source) : m_source(source), m_tokens(tokens_of(source.m_text)) {}
  void parse();

private:
  struct Where {
    int function;
    int parent;
    int block;
    bool in_loop;
    bool in_section = false;
  };

  bool done() const { return m_at >= m_tokens.size(); }
  bool is(std::string_view text) const { return !done() && m_tokens[m_at].is(text); }
  const Token* before(std::size_t at) const { return at == 0 ? nullptr : &m_tokens[at - 1]; }
  std::size_t group_end(std::size_t at) const; // behind the bracket that closes the one at `at`
  void scope(int parent_function);             // of a namespace or class, up to its '}'
  int function(std::size_t open, int parent, int inside, bool lambda);
  void block(const Where& where);                  // behind the '{', up to behind the '}'
  void statement(const Where& where, bool braced); // one, with all that belongs to it
  void control(const Where& where, bool braced);
  void plain(const Where& where, bool braced);
  int add(const Where& where, Statement::Kind kind, bool braced);
  void close(int statement);
  void header(int statement); // a group in parentheses, of a control statement
  void body(int statement, bool loop, bool section = false);
  std::size_t lambda_body(std::size_t at) const; // of the lambda whose '[' is at `at`; 0 if it is none
  void take_calls(int statement, std::size_t begin, std::size_t end,
                  const std::vector<std::pair<std::size_t, std::size_t>>& holes);

  Source& m_source;
  std::vector<Token> m_tokens;
  std::size_t m_at = 0;
  int m_blocks = 0;
};

} // namespace reex::inference
