#include "golden.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

namespace reex {

void expect_golden(const std::string& folder, const std::string& name, const std::string& text) {
  const std::string path = folder + '/' + name;
  if (const char* update = std::getenv("UPDATE_GOLDEN"); update != nullptr && std::string(update) == "1") {
    std::ofstream(path, std::ios::binary) << text;
    return;
  }
  std::ifstream in(path, std::ios::binary);
  ASSERT_TRUE(in) << path << " is missing: run with UPDATE_GOLDEN=1 to write it";
  const std::string approved{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  EXPECT_EQ(approved, text) << "differs from " << path
                            << ": run with UPDATE_GOLDEN=1 to approve the new text";
}

} // namespace reex
