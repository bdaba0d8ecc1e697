#include "cli/run/reex_folder.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "cli/terminal/command_error.h"

namespace reex {
namespace {

class ReexFolderTest : public ::testing::Test {
protected:
  ~ReexFolderTest() override { std::filesystem::remove_all(m_parent); }
  const std::filesystem::path m_parent =
      std::filesystem::temp_directory_path() / ("reex-folder-" + std::to_string(getpid()));
};

TEST_F(ReexFolderTest, IgnoresItselfInGit) {
  const std::string failures = make_failures_folder(m_parent.string());
  EXPECT_EQ(failures, (m_parent / ".reex" / "failures").string());
  std::string text;
  std::getline(std::ifstream(m_parent / ".reex" / ".gitignore"), text);
  EXPECT_EQ(text, "*");
}

TEST_F(ReexFolderTest, KeepsWhatIsThere) {
  make_failures_folder(m_parent.string());
  std::ofstream(m_parent / ".reex" / ".gitignore") << "mine\n";
  make_failures_folder(m_parent.string());
  std::string text;
  std::getline(std::ifstream(m_parent / ".reex" / ".gitignore"), text);
  EXPECT_EQ(text, "mine");
}

TEST_F(ReexFolderTest, RefusesAFolderThatCannotBe) {
  std::ofstream{m_parent} << "a file";
  EXPECT_THROW(make_failures_folder(m_parent.string()), UsageError);
}

// What reex writes must not end up where a link leads.
TEST_F(ReexFolderTest, FollowsNoLinks) {
  namespace fs = std::filesystem;
  for (const char* link : {".reex", ".reex/failures", ".reex/runs", ".reex/.gitignore"}) {
    fs::remove_all(m_parent);
    fs::create_directories(m_parent / "elsewhere");
    if (link != std::string(".reex")) fs::create_directory(m_parent / ".reex");
    fs::create_symlink(m_parent / "elsewhere", m_parent / link);
    EXPECT_THROW(make_failures_folder(m_parent.string()), UsageError) << link;
    EXPECT_TRUE(fs::is_empty(m_parent / "elsewhere")) << link;
  }
}

} // namespace
} // namespace reex
