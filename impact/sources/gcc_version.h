// Which GCC a parser pretends to be. Libclang says that it is GCC 4.2, unless it is told otherwise; code that
// asks `__GNUC__` whether the compiler is recent would be parsed as another program than the one that runs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace reex::impact {

inline constexpr std::string_view k_gcc_version_option = "-fgnuc-version=";

inline bool claims_gcc_version(std::string_view option) { return option.starts_with(k_gcc_version_option); }

// The version of the GCC that the command starts, or that wrote the DWARF's producer ("GNU C++17 12.2.0
// ..."). It is as high as the headers of GCC and of the C library let a parser claim that knows what clang
// knows: from 11 on, they use attributes that have no arguments in clang, and in C, from 7 on, a type of
// GCC's. The result is "" if the compiler is another one.
std::string claimed_gcc_version(const std::vector<std::string>& command);

} // namespace reex::impact
