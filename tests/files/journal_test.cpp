// The journal, told of calls and making them as files/watch.cpp and the kernel do.
#include "reex/files/journal.h"

#include <array>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <optional>
#include <random>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/files/tree.h"

namespace reex {
namespace {

constexpr std::uint64_t k_room = 1 << 20;

class Journal : public testing::Test {
protected:
  void SetUp() override {
    std::filesystem::create_directories(m_tree.path("folder/inner"));
    std::filesystem::create_directories(m_tree.path("empty"));
    m_tree.write("a", "content of a");
    m_tree.write("b", "content of b");
    m_tree.write("folder/c", "content of c");
    std::filesystem::create_symlink("a", m_tree.path("link"));
    std::filesystem::create_hard_link(m_tree.path("b"), m_tree.path("folder/b too"));
    m_before = m_tree.entries();
  }

  // Where a call leads to that follows symbolic links.
  std::optional<FilePlace> followed(const std::string& name) const {
    return place_of(getpid(), AT_FDCWD, m_tree.path(name), true);
  }

  // The calls, as the test would make them.
  void write(const std::string& name, const std::string& content) {
    if (const auto place = followed(name)) m_journal.will_open(*place, true);
    m_tree.write(name, content);
  }
  void remove(const std::string& name, bool folder = false) {
    if (!m_journal.remove(m_tree.place(name), folder))
      folder ? rmdir(m_tree.path(name).c_str()) : unlink(m_tree.path(name).c_str());
  }
  void rename(const std::string& from, const std::string& to, unsigned flags = 0) {
    if (!m_journal.rename(m_tree.place(from), m_tree.place(to), flags))
      renameat2(AT_FDCWD, m_tree.path(from).c_str(), AT_FDCWD, m_tree.path(to).c_str(), flags);
  }
  void make_folder(const std::string& name) {
    m_journal.will_create(m_tree.place(name), true);
    mkdir(m_tree.path(name).c_str(), 0755);
  }
  void link_file(const std::string& from, const std::string& to) {
    m_journal.will_create(m_tree.place(to), false);
    link(m_tree.path(from).c_str(), m_tree.path(to).c_str());
  }
  void change_mode(const std::string& name, mode_t mode) {
    if (const auto place = followed(name)) m_journal.will_change_status(*place);
    chmod(m_tree.path(name).c_str(), mode);
  }
  void undone() {
    m_journal.undo();
    EXPECT_EQ(m_journal.problem(), "");
    EXPECT_EQ(m_tree.entries(), m_before);
    EXPECT_TRUE(m_journal.empty());
  }

  Tree m_tree;
  FileShelf m_shelf;
  FileJournal m_journal{m_shelf, k_room};
  std::map<std::string, std::string> m_before;
};

TEST_F(Journal, CreatedIsGone) {
  write("new", "x");
  make_folder("new folder");
  write("new folder/inner", "y");
  EXPECT_NE(m_tree.entries(), m_before);
  undone();
}

TEST_F(Journal, WrittenIsAsBefore) {
  write("a", "other");
  write("a", "and again, longer than it was");
  undone();
}

TEST_F(Journal, RemovedIsTheSameFile) {
  const int open_before = open(m_tree.path("a").c_str(), O_RDONLY | O_CLOEXEC);
  remove("a");
  write("a", "another file of this name");
  undone();
  struct stat by_descriptor {
  }, by_path{};
  EXPECT_EQ(fstat(open_before, &by_descriptor), 0);
  EXPECT_EQ(stat(m_tree.path("a").c_str(), &by_path), 0);
  EXPECT_EQ(by_descriptor.st_ino, by_path.st_ino);
  close(open_before);
}

TEST_F(Journal, RemovedFolderComesBack) {
  remove("empty", true);
  remove("folder", true); // fails: it is not empty
  EXPECT_TRUE(std::filesystem::exists(m_tree.path("folder")));
  undone();
}

TEST_F(Journal, RenamedOverAnother) {
  rename("a", "b");
  EXPECT_EQ(m_tree.read("b"), "content of a");
  undone();
}

TEST_F(Journal, RenamedFolderWithWhatIsInIt) {
  rename("folder", "moved");
  write("moved/c", "other");
  remove("moved/b too");
  undone();
}

TEST_F(Journal, Exchanged) {
  rename("a", "folder/c", RENAME_EXCHANGE);
  EXPECT_EQ(m_tree.read("a"), "content of c");
  undone();
}

TEST_F(Journal, ModeAndTimes) {
  change_mode("a", 0400);
  const timespec times[] = {{1, 0}, {2, 0}};
  m_journal.will_change_status(m_tree.place("folder"));
  utimensat(AT_FDCWD, m_tree.path("folder").c_str(), times, 0);
  undone();
}

TEST_F(Journal, FurtherNames) {
  link_file("a", "again");
  write("again", "through the other name");
  remove("a");
  undone();
}

TEST_F(Journal, TheSameAgainAfterUndo) {
  for (int i = 0; i < 3; ++i) {
    remove("a");
    write("b", std::to_string(i));
    rename("folder/c", "a");
    undone();
  }
}

// Any sequence of calls, those that fail among them.
TEST_F(Journal, RandomCalls) {
  constexpr std::array k_names{"a",        "b",     "new",  "folder/c",     "folder/new",
                               "folder/d", "empty", "link", "folder/inner", "folder"};
  constexpr unsigned k_seeds = 300;
  for (unsigned seed = 0; seed < k_seeds; ++seed) {
    std::mt19937 random(seed);
    const auto name = [&] { return std::string(k_names[random() % k_names.size()]); };
    std::string done;
    for (unsigned call = 0; call < 12; ++call) {
      const std::string one = name(), other = name();
      const unsigned kind = random() % 8;
      done += std::to_string(kind) + " " + one + " " + other + "; ";
      switch (kind) {
      case 0:
        write(one, "written by call " + std::to_string(call));
        break;
      case 1:
        remove(one);
        break;
      case 2:
        remove(one, true);
        break;
      case 3:
        rename(one, other);
        break;
      case 4:
        rename(one, other, RENAME_EXCHANGE);
        break;
      case 5:
        make_folder(one);
        break;
      case 6:
        change_mode(one, 0700);
        break;
      default:
        link_file(one, other);
      }
    }
    m_journal.undo();
    ASSERT_EQ(m_journal.problem(), "") << "seed " << seed << ": " << done;
    ASSERT_EQ(m_tree.entries(), m_before) << "seed " << seed << ": " << done;
  }
}

TEST_F(Journal, NoRoomForTheContent) {
  FileJournal small(m_shelf, 10);
  small.will_open(m_tree.place("a"), false);
  EXPECT_NE(small.problem().find("more than 64 MB"), std::string::npos) << small.problem();
  EXPECT_NE(small.problem().find(m_tree.path("a")), std::string::npos) << small.problem();
  small.undo();
  EXPECT_EQ(m_tree.entries(), m_before);
}

TEST_F(Journal, WhatCannotBePutBackIsNamed) {
  write("a", "other");
  std::filesystem::remove(m_tree.path("a")); // somebody else does, and nobody is told
  m_journal.undo();
  EXPECT_NE(m_journal.problem().find(m_tree.path("a") + " cannot be put back"), std::string::npos)
      << m_journal.problem();
}

TEST_F(Journal, RenamedInAnotherWay) {
  EXPECT_FALSE(m_journal.rename(m_tree.place("a"), m_tree.place("b"), RENAME_WHITEOUT));
  EXPECT_NE(m_journal.problem().find("cannot be undone"), std::string::npos) << m_journal.problem();
}

} // namespace
} // namespace reex
