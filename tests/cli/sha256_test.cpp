#include "reex/run/sha256.h"

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>
#include <thread>

#include <gtest/gtest.h>

namespace reex {
namespace {

// The examples of FIPS 180-2, appendix B, and the empty message.
TEST(Sha256, GivesThePublishedDigests) {
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Sha256, OfAFileIsThatOfItsBytes) {
  const std::string path = testing::TempDir() + "sha256_test.bytes";
  for (const std::size_t size : {std::size_t{0}, std::size_t{3}, std::size_t{1} << 16, std::size_t{200000}}) {
    const std::string bytes(size, '\xf0');
    std::ofstream(path, std::ios::binary) << bytes;
    EXPECT_EQ(digest_of_file(path), sha256_hex(bytes)) << size;
  }
  std::remove(path.c_str());
  EXPECT_EQ(digest_of_file(path), "");
}

// How many bytes this process has read.
std::uint64_t bytes_read() {
  std::ifstream file("/proc/self/io");
  std::string name;
  std::uint64_t bytes = 0;
  file >> name >> bytes;
  EXPECT_EQ(name, "rchar:");
  return bytes;
}

// A project may have a test for each case of a large binary.
TEST(Sha256, OfAFileIsReadOnce) {
  constexpr std::size_t k_size = std::size_t{4} << 20;
  const std::string path = testing::TempDir() + "sha256_test.large";
  std::ofstream(path, std::ios::binary) << std::string(k_size, 'a');
  const std::string first = digest_of_file(path); // it has just been written
  std::this_thread::sleep_for(std::chrono::milliseconds(2100));
  const auto read_for_digest = [&] {
    const std::uint64_t before = bytes_read();
    EXPECT_EQ(digest_of_file(path), first);
    return bytes_read() - before;
  };
  EXPECT_GE(read_for_digest(), k_size);
  EXPECT_LT(read_for_digest(), k_size);
  std::fstream(path, std::ios::binary | std::ios::in | std::ios::out) << 'b'; // of the same length
  EXPECT_NE(digest_of_file(path), first);
  std::remove(path.c_str());
}

} // namespace
} // namespace reex
