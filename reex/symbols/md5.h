// MD5 (RFC 1321), for the comparison of files with the checksums in DWARF 5 line tables. Not for security.
#pragma once

#include <string>
#include <string_view>

namespace reex {

std::string md5_hex(std::string_view bytes); // 32 lower-case hexadecimal digits

} // namespace reex
