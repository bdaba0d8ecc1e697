// The SHA-256 of some bytes, as 64 hexadecimal digits. Reports and replays use it to compare long outputs.
#pragma once

#include <string>
#include <string_view>

namespace reex {

std::string sha256_hex(std::string_view bytes);

} // namespace reex
