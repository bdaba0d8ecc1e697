#include "reex/run/sha256.h"

#include <cstdio>
#include <fstream>
#include <string>

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

} // namespace
} // namespace reex
