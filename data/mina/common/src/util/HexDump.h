#pragma once

#include <string>

namespace util {

// The bytes as pairs of hexadecimal digits, for logs.
std::string hexDump(const std::string& bytes);

} // namespace util
