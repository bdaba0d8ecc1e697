// Makes text for a report from bytes that a test printed.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace reex {

// Reports cut longer output here, so that they stay readable. Outputs are compared by their hashes.
constexpr std::size_t k_output_limit = 4096;

// Replaces each byte of invalid UTF-8 by \xNN.
std::string escape_invalid_utf8(std::string_view bytes);

// Also replaces control characters other than line feed and tab by \xNN. The result is safe for a terminal.
std::string escape_for_terminal(std::string_view bytes);

// At most `limit` bytes. The cut is before a UTF-8 sequence and not inside it.
std::string_view cut_bytes(std::string_view bytes, std::size_t limit);

// The text on one line and in quotes, with \n, \t and \" for the characters that would break them.
std::string quote_for_terminal(std::string_view bytes);

} // namespace reex
