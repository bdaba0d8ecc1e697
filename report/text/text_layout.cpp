#include "report/text/text_layout.h"

#include <fmt/format.h>

#include <algorithm>

namespace reex {
namespace {

bool starts_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }

void wrap_line(std::string_view line, std::size_t width, std::vector<std::string>& into) {
  while (display_width(line) > width) {
    const std::size_t blank = std::min(line.rfind(' ', width), line.size());
    const std::size_t end = blank == line.size() || blank == 0 ? line.find(' ', 1) : blank;
    if (end == std::string_view::npos) break;
    into.emplace_back(line.substr(0, end));
    line.remove_prefix(end + 1);
  }
  into.emplace_back(line);
}

} // namespace

std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), starts_character));
}

std::string fit(std::string_view text, std::size_t width) {
  constexpr std::string_view k_more = "...";
  if (display_width(text) <= width) return std::string(text);
  const std::size_t kept = width > k_more.size() ? width - k_more.size() : 0;
  std::size_t characters = 0;
  std::size_t end = 0;
  while (end < text.size()) {
    if (starts_character(text[end]) && characters++ == kept) break;
    ++end;
  }
  return std::string(text.substr(0, end)) + std::string(k_more.substr(0, std::min(width, k_more.size())));
}

std::vector<std::string> wrap(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  while (true) {
    const std::size_t newline = text.find('\n');
    wrap_line(text.substr(0, newline), width, lines);
    if (newline == std::string_view::npos || newline + 1 == text.size()) return lines;
    text.remove_prefix(newline + 1);
  }
}

std::string short_thread_names(std::string_view text) {
  constexpr std::string_view k_long = "thread ";
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const bool starts_word = at == 0 || text[at - 1] == ' ' || text[at - 1] == '\n';
    const std::string_view rest = text.substr(at);
    const bool numbered =
        rest.size() > k_long.size() && rest[k_long.size()] >= '0' && rest[k_long.size()] <= '9';
    if (starts_word && numbered && rest.starts_with(k_long)) {
      result += 'T';
      at += k_long.size();
    } else {
      result += text[at++];
    }
  }
  return result;
}

std::string grouped(unsigned long long number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

std::string counted(unsigned long long number, std::string_view noun) {
  return fmt::format("{} {}{}", grouped(number), noun, number == 1 ? "" : "s");
}

std::string counted(unsigned long long number, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", grouped(number), number == 1 ? one : many);
}

} // namespace reex
