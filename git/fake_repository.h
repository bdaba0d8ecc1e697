// A repository in memory, for tests: commits are maps from paths to contents.
#pragma once

#include <map>
#include <string>

#include "git/repository.h"

namespace reex {

class FakeRepository : public Repository {
public:
  using Tree = std::map<std::string, std::string>;

  explicit FakeRepository(std::string root) : m_root(std::move(root)) {}

  // Returns the commit's name. The first commit is "c1", its child is "c2", and so on. "HEAD" is the last
  // commit; "HEAD~n" are its ancestors.
  std::string commit(Tree tree);
  void set_staged(Tree tree) { m_staged = std::move(tree); }
  void set_working_tree(Tree tree) { m_working = std::move(tree); }

  std::string root() const override { return m_root; }
  std::string resolve(const std::string& revision) override;
  std::string merge_base(const std::string& one, const std::string& two) override;
  std::vector<FileChange> diff_commits(const std::string& base, const std::string& head) override;
  std::vector<FileChange> diff_staged(const std::string& base) override;
  std::vector<FileChange> diff_working_tree(const std::string& base) override;
  std::optional<std::string> content(const std::string& revision, const std::string& path) override;
  std::optional<std::string> staged_content(const std::string& path) override;

private:
  std::string m_root;
  std::vector<Tree> m_commits;
  Tree m_staged;
  Tree m_working;
};

} // namespace reex
