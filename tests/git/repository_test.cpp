// The implementation with libgit2, on repositories that git itself makes.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>

#include "git/repository.h"

namespace reex::test {
namespace {

namespace fs = std::filesystem;

class GitRepository : public ::testing::Test {
protected:
  void SetUp() override {
    // A hook or another test may have set these for its own repository.
    for (const char* name : {"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"}) unsetenv(name);
    std::string pattern = (fs::temp_directory_path() / "reex-git-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    m_root = fs::canonical(pattern).string();
    git("init -q -b trunk");
  }
  void TearDown() override { fs::remove_all(m_root); }

  void git(const std::string& arguments) const {
    const std::string command =
        "git -C " + m_root +
        " -c user.name=a -c user.email=a@b -c commit.gpgsign=false -c core.hooksPath=/dev/null " + arguments +
        " >/dev/null 2>&1";
    ASSERT_EQ(std::system(command.c_str()), 0) << arguments;
  }
  void write(const std::string& name, const std::string& text) const {
    fs::create_directories(fs::path(m_root + "/" + name).parent_path());
    std::ofstream(m_root + "/" + name) << text;
  }
  void commit(const std::string& message) const {
    git("add -A");
    git("commit -q -m " + message);
  }

  static std::string message_of(const std::function<void()>& action) {
    try {
      action();
    } catch (const RepositoryError& error) {
      return error.what();
    }
    return "no error";
  }

  std::string m_root;
};

TEST_F(GitRepository, DiffsCommitsIndexAndWorkingTree) {
  write("src/a.cpp", "one\ntwo\nthree\n");
  commit("first");
  write("src/a.cpp", "one\n2\nthree\n");
  commit("second");
  write("src/a.cpp", "one\n2\n3\n");
  git("add -A");
  write("src/a.cpp", "1\n2\n3\n");
  write("untracked.cpp", "x\n");

  const std::unique_ptr<Repository> repository = open_repository(m_root + "/src");
  EXPECT_EQ(repository->root(), m_root);
  EXPECT_EQ(repository->resolve("HEAD").size(), 40U);
  EXPECT_EQ(repository->resolve("trunk"), repository->resolve("HEAD"));
  EXPECT_EQ(repository->resolve(repository->resolve("HEAD~1").substr(0, 10)), repository->resolve("HEAD~1"));

  const std::vector<FileChange> commits = repository->diff_commits("HEAD~1", "HEAD");
  ASSERT_EQ(commits.size(), 1U);
  EXPECT_EQ(commits[0].status, FileStatus::modified);
  ASSERT_EQ(commits[0].hunks.size(), 1U);
  EXPECT_EQ(commits[0].hunks[0].new_start, 2U);
  EXPECT_EQ(commits[0].hunks[0].new_count, 1U);
  EXPECT_NE(commits[0].text.find("-two\n+2\n"), std::string::npos);

  const std::vector<FileChange> staged = repository->diff_staged("HEAD");
  ASSERT_EQ(staged.size(), 1U);
  EXPECT_EQ(staged[0].hunks[0].new_start, 3U);
  const std::vector<FileChange> working = repository->diff_working_tree("HEAD");
  ASSERT_EQ(working.size(), 1U);
  ASSERT_EQ(working[0].hunks.size(), 2U);

  EXPECT_EQ(repository->content("HEAD~1", "src/a.cpp"), "one\ntwo\nthree\n");
  EXPECT_EQ(repository->content("HEAD", "nothing"), std::nullopt);
  EXPECT_EQ(repository->staged_content("src/a.cpp"), "one\n2\n3\n");
}

TEST_F(GitRepository, FindsRenamesAndBinaries) {
  std::string text;
  for (int i = 0; i < 50; ++i) text += "line " + std::to_string(i) + "\n";
  write("old.cpp", text);
  write("data.bin", std::string("a\0b", 3));
  commit("first");
  fs::rename(m_root + "/old.cpp", m_root + "/new.cpp");
  write("new.cpp", text + "more\n");
  write("data.bin", std::string("a\0c", 3));
  commit("second");
  const std::vector<FileChange> changes = open_repository(m_root)->diff_commits("HEAD~1", "HEAD");
  ASSERT_EQ(changes.size(), 2U);
  EXPECT_TRUE(changes[0].binary);
  EXPECT_EQ(changes[1].status, FileStatus::renamed);
  EXPECT_EQ(changes[1].old_path, "old.cpp");
  EXPECT_EQ(changes[1].new_path, "new.cpp");
  ASSERT_EQ(changes[1].hunks.size(), 1U);
  EXPECT_EQ(changes[1].hunks[0].added, std::vector<std::string>{"more"});
}

// What a commit of the submodule changed is of the commit that moves the submodule to it.
TEST_F(GitRepository, ASubmodulesChangesAreOfTheCommitThatMovesIt) {
  git("init -q -b trunk sub");
  write("sub/s.h", "one\ntwo\n");
  git("-C sub add -A");
  git("-C sub commit -q -m first");
  write("a.cpp", "a\n");
  commit("first");
  write("sub/s.h", "one\n2\n");
  git("-C sub commit -q -a -m second");
  commit("second");
  const auto repository = open_repository(m_root);
  for (const std::vector<FileChange>& changes :
       {repository->diff_commits("HEAD~1", "HEAD"), repository->diff_working_tree("HEAD~1")}) {
    ASSERT_EQ(changes.size(), 1U);
    EXPECT_EQ(changes[0].old_path, "sub/s.h");
    EXPECT_EQ(changes[0].new_path, "sub/s.h");
    ASSERT_EQ(changes[0].hunks.size(), 1U);
    EXPECT_EQ(changes[0].hunks[0].removed, std::vector<std::string>{"two"});
    EXPECT_EQ(changes[0].hunks[0].added, std::vector<std::string>{"2"});
  }
  EXPECT_EQ(repository->content("HEAD~1", "sub/s.h"), "one\ntwo\n");
  EXPECT_EQ(repository->content("HEAD", "sub/s.h"), "one\n2\n");
  EXPECT_EQ(repository->content("HEAD", "sub/other.h"), std::nullopt);

  // Cloned without the commit from which it was moved.
  fs::rename(m_root + "/sub", m_root + "/whole");
  git("clone -q --depth 1 file://" + m_root + "/whole " + m_root + "/sub");
  const std::string error = message_of([&] { open_repository(m_root)->diff_commits("HEAD~1", "HEAD"); });
  EXPECT_NE(error.find("of the submodule sub is not here: git -C sub fetch --unshallow"), std::string::npos)
      << error;
  fs::remove_all(m_root + "/sub"); // it is not checked out
  EXPECT_TRUE(open_repository(m_root)->diff_commits("HEAD~1", "HEAD").empty());
}

TEST_F(GitRepository, APartialCloneSaysWhatItLacks) {
  write("origin/a.cpp", "one\ntwo\n");
  write("origin/b.cpp", "b\n");
  git("init -q -b trunk origin");
  git("-C origin config uploadpack.allowFilter true");
  for (const char* text : {"one\ntwo\n", "one\n2\n"}) {
    write("origin/a.cpp", text);
    git("-C origin add -A");
    git("-C origin commit -q -m " + std::to_string(std::strlen(text)));
  }
  git("clone -q --filter=blob:none file://" + m_root + "/origin " + m_root + "/clone");
  const auto repository = open_repository(m_root + "/clone");
  for (const auto& action :
       std::vector<std::function<void()>>{[&] { repository->diff_commits("HEAD~1", "HEAD"); },
                                          [&] { repository->diff_working_tree("HEAD~1"); },
                                          [&] { repository->content("HEAD~1", "a.cpp"); }}) {
    const std::string error = message_of(action);
    EXPECT_EQ(error.find("a.cpp cannot be read (object not found"), 0U) << error;
    EXPECT_NE(error.find("): the clone is partial, and `git diff` of the two sides fetches what is missing"),
              std::string::npos)
        << error;
  }
  EXPECT_EQ(repository->content("HEAD~1", "b.cpp"), "b\n"); // unchanged, so it was checked out
  git("-C clone diff HEAD~1 HEAD");
  EXPECT_EQ(open_repository(m_root + "/clone")->diff_commits("HEAD~1", "HEAD").size(), 1U);
}

TEST_F(GitRepository, AFileThatIsNotMergedIsNoChangeOfNothing) {
  write("a.cpp", "one\n");
  commit("first");
  git("checkout -q -b side");
  write("a.cpp", "side\n");
  commit("side");
  git("checkout -q trunk");
  write("a.cpp", "trunk\n");
  commit("trunk");
  std::system(("git -C " + m_root + " -c user.name=a -c user.email=a@b merge side >/dev/null 2>&1").c_str());
  write("a.cpp", "both\n"); // resolved, and not added
  const auto repository = open_repository(m_root);
  const std::string error = message_of([&] { repository->diff_working_tree("HEAD"); });
  EXPECT_EQ(error, "a.cpp is not merged: resolve it, and `git add` it");
  EXPECT_EQ(message_of([&] { repository->diff_staged("HEAD"); }), error);
  git("add a.cpp");
  EXPECT_EQ(open_repository(m_root)->diff_working_tree("HEAD").size(), 1U);
}

TEST_F(GitRepository, ExtensionsThatChangeNothingOfWhatIsRead) {
  write("src/a.cpp", "one\n");
  write("other/b.cpp", "b\n");
  commit("first");
  write("src/a.cpp", "1\n");
  commit("second");
  git("sparse-checkout set --cone src"); // sets extensions.worktreeConfig
  for (const char* name : {"partialClone origin", "preciousObjects true", "relativeWorktrees true"})
    git(std::string("config extensions.") + name);
  const auto repository = open_repository(m_root);
  for (const std::vector<FileChange>& changes :
       {repository->diff_commits("HEAD~1", "HEAD"), repository->diff_working_tree("HEAD~1")}) {
    ASSERT_EQ(changes.size(), 1U); // what is not checked out is not deleted
    EXPECT_EQ(changes[0].new_path, "src/a.cpp");
  }
}

TEST_F(GitRepository, MergeBase) {
  write("a", "1\n");
  commit("base");
  git("checkout -q -b side");
  write("b", "1\n");
  commit("side");
  git("checkout -q trunk");
  write("c", "1\n");
  commit("trunk");
  const std::unique_ptr<Repository> repository = open_repository(m_root);
  EXPECT_EQ(repository->merge_base("side", "trunk"), repository->resolve("trunk~1"));
}

TEST_F(GitRepository, ErrorsSayWhatToDo) {
  write("a", "1\n");
  commit("base");
  const std::unique_ptr<Repository> repository = open_repository(m_root);
  EXPECT_EQ(message_of([&] { repository->resolve("HEAD~7"); }),
            "unknown revision 'HEAD~7': name a commit that `git log` shows, or fetch it");
  EXPECT_NE(message_of([] { open_repository("/"); }).find("no git repository at /"), std::string::npos);
  // `git init --object-format=sha256` sets this configuration.
  git("config core.repositoryformatversion 1");
  git("config extensions.objectFormat sha256");
  const std::string refused = message_of([&] { open_repository(m_root); });
  EXPECT_NE(refused.find("SHA-256"), std::string::npos) << refused;
}

} // namespace
} // namespace reex::test
