// The frame of every page: its head with style and script, and its foot. Nothing is loaded from elsewhere.
#pragma once

#include <string>
#include <string_view>

namespace reex {

// Up to and including <body>, with the link that skips to #main. `title` is plain text; `more_style` is
// CSS beyond that of all pages.
std::string page_begin(std::string_view title, std::string_view more_style = "");

// From the footer on. `script` may be "".
std::string page_end(std::string_view version, std::string_view script);

} // namespace reex
