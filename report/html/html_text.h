// Text for HTML. All that comes from a test, from its sources or from the command line goes through html().
#pragma once

#include <string>
#include <string_view>

namespace reex {

// The text with the characters that HTML reads replaced, for content and for attributes in double quotes.
// Bytes that are no UTF-8 and control characters are written as \xNN.
std::string html(std::string_view bytes);

// A JSON document for a <script> element: no "</script>" or "<!--" in a string can end or change it.
std::string json_for_script(std::string json);

} // namespace reex
