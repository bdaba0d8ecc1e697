// Bytes that a test printed, as text for a report.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace reex {

// Longer output is cut here: reports stay readable, and equality is on the hash.
constexpr std::size_t k_output_limit = 4096;

// Invalid UTF-8 becomes \xNN, byte by byte; everything else stays.
std::string escape_invalid_utf8(std::string_view bytes);

// The same with control characters other than line feed and tab as \xNN, too: safe to print on a terminal.
std::string escape_for_terminal(std::string_view bytes);

// At most `limit` bytes, cut before a UTF-8 sequence rather than inside it.
std::string_view cut_bytes(std::string_view bytes, std::size_t limit);

// On one line, quoted, with \n, \t and \" for what would break the line or the quotes.
std::string quote_for_terminal(std::string_view bytes);

} // namespace reex
