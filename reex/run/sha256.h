// The SHA-256 of some bytes, as 64 hexadecimal digits. Reports and replays use it to compare long outputs;
// states of runs and receipts, to know files again.
#pragma once

#include <string>
#include <string_view>

namespace reex {

std::string sha256_hex(std::string_view bytes);
std::string digest_of_file(const std::string& path); // "": it cannot be read

} // namespace reex
