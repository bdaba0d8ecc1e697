// The functions that libcrypto has had for long: those of EVP first read its configuration and fetch an
// implementation, which takes a millisecond.
#define OPENSSL_API_COMPAT 0x10100000L
#include "reex/run/sha256.h"

#include <openssl/sha.h>

#include <array>
#include <fstream>
#include <vector>

namespace reex {
namespace {

std::string hex_of_end(SHA256_CTX& context) {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
  SHA256_Final(digest.data(), &context);
  static constexpr std::string_view k_digits = "0123456789abcdef";
  std::string hex;
  hex.reserve(2 * digest.size());
  for (const unsigned char byte : digest) {
    hex += k_digits[byte >> 4];
    hex += k_digits[byte & 15];
  }
  return hex;
}

} // namespace

std::string sha256_hex(std::string_view bytes) {
  SHA256_CTX context;
  SHA256_Init(&context);
  SHA256_Update(&context, bytes.data(), bytes.size());
  return hex_of_end(context);
}

std::string digest_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return "";
  constexpr std::size_t k_piece = 1 << 16;
  std::vector<char> piece(k_piece);
  SHA256_CTX context;
  SHA256_Init(&context);
  do {
    file.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    SHA256_Update(&context, piece.data(), static_cast<std::size_t>(file.gcount()));
  } while (file);
  return file.bad() ? "" : hex_of_end(context);
}

} // namespace reex
