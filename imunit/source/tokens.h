// The tokens of a C++ file. Comments and preprocessor lines are none.
//
// Errors: none. A literal without an end reaches to the end of its line, a comment to the end of the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace reex::inference {

struct Token {
  enum class Kind : std::uint8_t { word, number, literal, sign };
  Kind kind = Kind::sign;
  std::size_t begin = 0; // offsets in the text
  std::size_t end = 0;
  std::string_view text;

  bool is(std::string_view what) const { return text == what; }
  bool is_word() const { return kind == Kind::word; }
};

// The views are into `text`. "::", "->" and "[[" are one token; every other sign is a character.
std::vector<Token> tokens_of(std::string_view text);

} // namespace reex::inference
