#include "reex/run/sha256.h"

#include <chrono>
#include <cstdio>
#include <ctime>
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

// A binary of 70 MB takes a quarter of a second, and a project may have a test for each of its cases.
TEST(Sha256, OfAFileIsReadOnce) {
  const std::string path = testing::TempDir() + "sha256_test.large";
  std::ofstream(path, std::ios::binary) << std::string(std::size_t{64} << 20, 'a');
  const std::string first = digest_of_file(path); // it has just been written
  std::this_thread::sleep_for(std::chrono::milliseconds(2100));
  const auto time_of = [&] {
    const std::clock_t begun = std::clock();
    EXPECT_EQ(digest_of_file(path), first);
    return std::clock() - begun;
  };
  const std::clock_t reading = time_of();
  EXPECT_LT(time_of(), reading / 20);
  std::fstream(path, std::ios::binary | std::ios::in | std::ios::out) << 'b'; // of the same length
  EXPECT_NE(digest_of_file(path), first);
  std::remove(path.c_str());
}

} // namespace
} // namespace reex
