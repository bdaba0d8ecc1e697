#include "report/text/bytes_text.h"

#include <fmt/format.h>

namespace reex {
namespace {

unsigned byte_at(std::string_view bytes, std::size_t at) {
  return at < bytes.size() ? static_cast<unsigned char>(bytes[at]) : 0U;
}

bool continues(unsigned byte) { return (byte & 0xC0U) == 0x80U; }

// The length of the valid UTF-8 sequence at `at`; 0 if there is none (Unicode, table 3-7: no overlong forms,
// no surrogates, nothing above U+10FFFF).
std::size_t sequence_length(std::string_view bytes, std::size_t at) {
  const unsigned first = byte_at(bytes, at);
  const unsigned second = byte_at(bytes, at + 1);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return continues(second) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    const unsigned low = first == 0xE0 ? 0xA0 : 0x80;
    const unsigned high = first == 0xED ? 0x9F : 0xBF;
    return second >= low && second <= high && continues(byte_at(bytes, at + 2)) ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    const unsigned low = first == 0xF0 ? 0x90 : 0x80;
    const unsigned high = first == 0xF4 ? 0x8F : 0xBF;
    const bool fits = second >= low && second <= high;
    return fits && continues(byte_at(bytes, at + 2)) && continues(byte_at(bytes, at + 3)) ? 4 : 0;
  }
  return 0;
}

bool is_control(unsigned byte) { return (byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7F; }

std::string escape(std::string_view bytes, bool controls) {
  std::string text;
  text.reserve(bytes.size());
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t length = sequence_length(bytes, at);
    if (length == 0 || (controls && is_control(byte_at(bytes, at)))) {
      text += fmt::format("\\x{:02x}", byte_at(bytes, at++));
      continue;
    }
    text += bytes.substr(at, length);
    at += length;
  }
  return text;
}

} // namespace

std::string escape_invalid_utf8(std::string_view bytes) { return escape(bytes, false); }

std::string escape_for_terminal(std::string_view bytes) { return escape(bytes, true); }

std::string_view cut_bytes(std::string_view bytes, std::size_t limit) {
  if (bytes.size() <= limit) return bytes;
  std::size_t end = limit;
  while (end > 0 && limit - end < 3 && continues(byte_at(bytes, end))) --end;
  if (continues(byte_at(bytes, end))) end = limit;
  return bytes.substr(0, end);
}

std::string quote_for_terminal(std::string_view bytes) {
  std::string text = "\"";
  for (const char c : escape_for_terminal(bytes)) {
    switch (c) {
    case '\n':
      text += "\\n";
      break;
    case '\t':
      text += "\\t";
      break;
    case '"':
      text += "\\\"";
      break;
    default:
      text += c;
    }
  }
  return text + '"';
}

} // namespace reex
