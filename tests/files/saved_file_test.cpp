#include "reex/files/saved_file.h"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/files/tree.h"

namespace reex {
namespace {

SavedFile saved(const Tree& tree, const std::string& name) {
  SavedFile file;
  EXPECT_EQ(lstat(tree.path(name).c_str(), &file.status), 0);
  EXPECT_TRUE(read_content(tree.path(name), file.content));
  return file;
}

TEST(SavedFile, ContentModeAndTimesComeBack) {
  const Tree tree;
  tree.write("a", "before");
  const auto before = tree.entries();
  const SavedFile file = saved(tree, "a");
  tree.write("a", "longer than before");
  chmod(tree.path("a").c_str(), 0400);
  EXPECT_TRUE(put_back_content(tree.path("a"), file));
  EXPECT_EQ(tree.entries(), before);
}

TEST(SavedFile, AnotherFileIsLeftAlone) {
  const Tree tree;
  tree.write("a", "before");
  const SavedFile file = saved(tree, "a");
  tree.write("b", "another file");
  std::filesystem::rename(tree.path("b"), tree.path("a"));
  EXPECT_FALSE(put_back_content(tree.path("a"), file));
  EXPECT_EQ(errno, ESTALE);
  EXPECT_EQ(tree.read("a"), "another file");
}

// A disk that takes no more bytes.
TEST(SavedFile, AFailedWriteIsTold) {
  const Tree tree;
  tree.write("a", std::string(100000, 'x'));
  const SavedFile file = saved(tree, "a");
  std::filesystem::resize_file(tree.path("a"), 0);
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{1000, 1000};
    setrlimit(RLIMIT_FSIZE, &limit);
    const bool done = put_back_content(tree.path("a"), file);
    _exit(done ? 0 : errno);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), EFBIG);
}

TEST(SavedFile, WhatIsNotThere) {
  const Tree tree;
  std::string content;
  EXPECT_FALSE(read_content(tree.path("none"), content));
  EXPECT_EQ(errno, ENOENT);
}

} // namespace
} // namespace reex
