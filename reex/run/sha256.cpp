#include "reex/run/sha256.h"

#include <openssl/evp.h>

#include <array>
#include <stdexcept>

namespace reex {

std::string sha256_hex(std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha256(), nullptr) != 1) {
    throw std::runtime_error("libcrypto offers no SHA-256");
  }
  static constexpr std::string_view k_digits = "0123456789abcdef";
  std::string hex;
  hex.reserve(2 * size);
  for (unsigned i = 0; i < size; ++i) {
    hex += k_digits[digest[i] >> 4];
    hex += k_digits[digest[i] & 15];
  }
  return hex;
}

} // namespace reex
