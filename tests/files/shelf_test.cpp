#include "reex/files/shelf.h"

#include <cerrno>
#include <filesystem>
#include <gtest/gtest.h>

#include "tests/files/tree.h"

namespace reex {
namespace {

namespace fs = std::filesystem;

TEST(Shelf, TakesAndGivesBack) {
  const Tree tree;
  tree.write("a", "content");
  const auto before = tree.entries();
  std::string kept;
  {
    FileShelf shelf;
    kept = shelf.take(tree.place("a"));
    ASSERT_NE(kept, "");
    EXPECT_EQ(fs::path(kept).filename(), "a");
    EXPECT_NE(kept.compare(0, tree.root().size(), tree.root()), 0) << kept; // no folder of the test has it
    EXPECT_TRUE(tree.entries().empty());
    EXPECT_TRUE(shelf.give_back(kept, tree.path("a")));
    EXPECT_EQ(tree.entries().size(), before.size());
    EXPECT_EQ(tree.read("a"), "content");
  }
  EXPECT_FALSE(fs::exists(fs::path(kept).parent_path().parent_path())); // the shelf's own folder
}

TEST(Shelf, TwoOfTheSameName) {
  const Tree tree;
  FileShelf shelf;
  tree.write("a", "first");
  const std::string first = shelf.take(tree.place("a"));
  tree.write("a", "second");
  const std::string second = shelf.take(tree.place("a"));
  EXPECT_NE(first, second);
  EXPECT_TRUE(shelf.give_back(first, tree.path("a")));
  EXPECT_EQ(tree.read("a"), "first");
  EXPECT_FALSE(shelf.give_back(second, tree.path("a"))); // something is there
  EXPECT_EQ(errno, EEXIST);
  EXPECT_EQ(tree.read("a"), "first");
  EXPECT_TRUE(shelf.give_back(second, tree.path("b")));
}

TEST(Shelf, WhatIsNotThere) {
  const Tree tree;
  FileShelf shelf;
  EXPECT_EQ(shelf.take(tree.place("none")), "");
  EXPECT_EQ(errno, ENOENT);
  EXPECT_EQ(shelf.take(tree.place("no folder/none")), "");
}

} // namespace
} // namespace reex
