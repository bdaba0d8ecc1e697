#include "reex/symbols/md5.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace reex {
namespace {

// RFC 1321, section 3.4: the shifts of the four rounds.
constexpr std::array<std::array<int, 4>, 4> k_shifts = {
    {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}}};

// The RFC's table T: element i is the integer part of 2^32 times abs(sin(i + 1)).
const std::array<std::uint32_t, 64>& sines() {
  static const std::array<std::uint32_t, 64> table = [] {
    std::array<std::uint32_t, 64> values{};
    for (unsigned i = 0; i < 64; ++i) {
      values[i] = static_cast<std::uint32_t>(std::floor(std::ldexp(std::fabs(std::sin(double(i + 1))), 32)));
    }
    return values;
  }();
  return table;
}

void digest_block(std::array<std::uint32_t, 4>& state, const char* block) {
  std::array<std::uint32_t, 16> words;
  std::memcpy(words.data(), block, 64);
  auto [a, b, c, d] = state;
  for (unsigned i = 0; i < 64; ++i) {
    std::uint32_t mix = 0;
    unsigned word = 0;
    switch (i / 16) {
    case 0:
      mix = (b & c) | (~b & d), word = i;
      break;
    case 1:
      mix = (d & b) | (~d & c), word = (5 * i + 1) % 16;
      break;
    case 2:
      mix = b ^ c ^ d, word = (3 * i + 5) % 16;
      break;
    default:
      mix = c ^ (b | ~d), word = (7 * i) % 16;
      break;
    }
    const std::uint32_t sum = a + mix + words[word] + sines()[i];
    a = d;
    d = c;
    c = b;
    b += std::rotl(sum, k_shifts[i / 16][i % 4]);
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
}

} // namespace

std::string md5_hex(std::string_view bytes) {
  std::array<std::uint32_t, 4> state = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
  std::string padded(bytes);
  padded.push_back('\x80');
  padded.resize((padded.size() + 8 + 63) / 64 * 64, '\0');
  const std::uint64_t bits = static_cast<std::uint64_t>(bytes.size()) * 8;
  std::memcpy(padded.data() + padded.size() - 8, &bits, 8);
  for (std::size_t at = 0; at < padded.size(); at += 64) digest_block(state, padded.data() + at);

  static constexpr char k_digits[] = "0123456789abcdef";
  std::string text;
  for (const std::uint32_t word : state) {
    for (unsigned shift = 0; shift < 32; shift += 8) {
      const unsigned byte = (word >> shift) & 0xff;
      text.push_back(k_digits[byte >> 4]);
      text.push_back(k_digits[byte & 15]);
    }
  }
  return text;
}

} // namespace reex
