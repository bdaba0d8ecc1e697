#include "report/html/html_text.h"

#include "report/text/bytes_text.h"

namespace reex {

std::string html(std::string_view bytes) {
  std::string text;
  for (const char c : escape_for_terminal(bytes)) {
    switch (c) {
    case '&':
      text += "&amp;";
      break;
    case '<':
      text += "&lt;";
      break;
    case '>':
      text += "&gt;";
      break;
    case '"':
      text += "&quot;";
      break;
    case '\'':
      text += "&#39;";
      break;
    default:
      text += c;
    }
  }
  return text;
}

std::string json_for_script(std::string json) {
  // In JSON, these characters occur only inside strings.
  for (const auto& [character, escaped] : {std::pair{'<', "\\u003c"}, {'>', "\\u003e"}, {'&', "\\u0026"}})
    for (std::size_t at = 0; (at = json.find(character, at)) != std::string::npos;)
      json.replace(at, 1, escaped);
  return json;
}

} // namespace reex
