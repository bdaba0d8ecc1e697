#include "imunit/source/tokens.h"

#include <algorithm>
#include <cctype>
#include <string>

namespace reex::inference {
namespace {

bool begins_word(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

class Lexer {
public:
  explicit Lexer(std::string_view text) : m_text(text) {}

  std::vector<Token> tokens() {
    while (skip_blank()) {
      const std::size_t begin = m_at;
      const Token::Kind kind = take();
      m_at = std::min(m_at, m_text.size());
      m_tokens.push_back({kind, begin, m_at, m_text.substr(begin, m_at - begin)});
      m_line_begins = false;
    }
    return std::move(m_tokens);
  }

private:
  char at(std::size_t ahead = 0) const { return m_at + ahead < m_text.size() ? m_text[m_at + ahead] : '\0'; }
  bool starts(std::string_view what) const { return m_text.substr(m_at).starts_with(what); }

  void skip_line() { // with the lines that a backslash joins to it
    while (m_at < m_text.size() && m_text[m_at] != '\n') {
      if (starts("\\\n")) ++m_at;
      if (starts("/*")) skip_comment();
      ++m_at;
    }
  }
  void skip_comment() {
    const std::size_t end = m_text.find("*/", m_at + 2);
    m_at = end == std::string_view::npos ? m_text.size() : end + 2;
  }
  // Whether there is a token.
  bool skip_blank() {
    while (m_at < m_text.size()) {
      if (at() == '\n') {
        m_line_begins = true;
        ++m_at;
      } else if (std::isspace(static_cast<unsigned char>(at())) != 0 || starts("\\\n")) {
        ++m_at;
      } else if (starts("//") || (at() == '#' && m_line_begins)) {
        skip_line();
      } else if (starts("/*")) {
        skip_comment();
      } else {
        return true;
      }
    }
    return false;
  }
  void take_quoted(char quote) {
    for (++m_at; m_at < m_text.size() && at() != '\n'; ++m_at) {
      if (at() == '\\') {
        ++m_at;
      } else if (at() == quote) {
        ++m_at;
        return;
      }
    }
  }
  void take_raw() { // behind the R
    const std::size_t open = m_text.find('(', m_at);
    if (open == std::string_view::npos) return take_quoted('"');
    const std::string close = ')' + std::string(m_text.substr(m_at + 1, open - m_at - 1)) + '"';
    const std::size_t end = m_text.find(close, open);
    m_at = end == std::string_view::npos ? m_text.size() : end + close.size();
  }
  Token::Kind take() {
    if (begins_word(at())) {
      const std::size_t begin = m_at;
      while (in_word(at())) ++m_at;
      const std::string_view word = m_text.substr(begin, m_at - begin);
      const bool prefix = word == "u8" || word == "u" || word == "U" || word == "L";
      if (at() == '"' && word.back() == 'R' && word.size() <= 3) {
        take_raw();
        return Token::Kind::literal;
      }
      if ((at() == '"' || at() == '\'') && prefix) {
        take_quoted(at());
        return Token::Kind::literal;
      }
      return Token::Kind::word;
    }
    if (std::isdigit(static_cast<unsigned char>(at())) != 0) {
      while (in_word(at()) || at() == '.' || (at() == '\'' && in_word(at(1)))) ++m_at;
      return Token::Kind::number;
    }
    if (at() == '"' || at() == '\'') {
      take_quoted(at());
      return Token::Kind::literal;
    }
    m_at += starts("::") || starts("->") || starts("[[") ? 2 : 1;
    return Token::Kind::sign;
  }

  std::string_view m_text;
  std::size_t m_at = 0;
  bool m_line_begins = true;
  std::vector<Token> m_tokens;
};

} // namespace

std::vector<Token> tokens_of(std::string_view text) { return Lexer(text).tokens(); }

} // namespace reex::inference
