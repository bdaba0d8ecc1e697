// The test suite of RFC 1321.
#include <gtest/gtest.h>

#include "reex/symbols/md5.h"

namespace reex::test {
namespace {

TEST(Md5, TestSuiteOfTheRfc) {
  struct Row {
    const char* text;
    const char* digest;
  };
  const Row rows[] = {
      {"", "d41d8cd98f00b204e9800998ecf8427e"},
      {"a", "0cc175b9c0f1b6a831c399e269772661"},
      {"message digest", "f96b697d7cb7938d525a2f31aaf161d0"},
      {"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", "d174ab98d277d9f5a5611c2c9f419d9f"},
      {"12345678901234567890123456789012345678901234567890123456789012345678901234567890",
       "57edf4a22be3c955ac49da2e2107b67a"},
  };
  for (const Row& row : rows) EXPECT_EQ(md5_hex(row.text), row.digest) << row.text;
}

} // namespace
} // namespace reex::test
