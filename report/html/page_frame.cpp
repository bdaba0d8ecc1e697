#include "report/html/page_frame.h"

#include <fmt/format.h>

#include "report/html/assets.h"
#include "report/html/html_text.h"

namespace reex {

std::string page_begin(std::string_view title, std::string_view more_style) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'; "
      "script-src 'unsafe-inline'\">\n<title>{} – reex</title>\n<style>\n{}{}</style>\n</head>\n<body>\n"
      "<a class=\"skip\" href=\"#main\">Skip to the report</a>\n",
      html(title), page_style(), more_style);
}

std::string page_end(std::string_view version, std::string_view script) {
  std::string text =
      fmt::format("<footer><p class=\"quiet\">Written by reex {}. Nothing on this page is loaded from "
                  "elsewhere.</p></footer>\n",
                  html(version));
  if (!script.empty()) text += fmt::format("<script>\n{}</script>\n", script);
  return text + "</body>\n</html>\n";
}

} // namespace reex
