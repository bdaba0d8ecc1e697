#include "git/library.h"

#include "git/command_config.h"
#include "git/discover.h"
#include "git/module.h"
#include "git/unified_diff.h"

namespace reex {

namespace detail {

const GitLibrary& library() {
  static const GitLibrary* const loaded = [] {
    std::string problem;
    void* const symbol = module_symbol("libreex_git.so", "reex_git_library", problem);
    if (symbol == nullptr)
      throw RepositoryError("git repositories cannot be read (" + problem + "): build or install reex again");
    return static_cast<const GitLibrary*>(symbol);
  }();
  return *loaded;
}

} // namespace detail

namespace {

// A configuration without settings of reex, read without libgit2.
class NothingConfigured : public GitConfig {
public:
  explicit NothingConfigured(std::string root) : m_root(std::move(root)) {}
  std::string root() const override { return m_root; }
  std::vector<std::string> keys() const override { return {}; }
  std::optional<std::string> value(const std::string&) const override { return std::nullopt; }
  std::vector<std::string> values(const std::string&) const override { return {}; }

private:
  std::string m_root;
};

} // namespace

std::unique_ptr<Repository> open_repository(const std::string& path) {
  return detail::library().open_repository(path);
}

std::unique_ptr<History> open_history(const std::string& path) {
  return detail::library().open_history(path);
}

std::unique_ptr<GitConfig> open_config(const std::string& folder) {
  const Discovery found = discover(folder);
  const bool configured = !found.certain || may_configure_reex(found);
  return with_entries(configured ? detail::library().open_config(folder)
                                 : std::make_unique<NothingConfigured>(found.root),
                      command_config());
}

std::vector<FileChange> parse_diff(std::string_view text) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) return {};
  return detail::library().parse_diff(text);
}

std::string unified_diff(const std::string& path, std::string_view before, std::string_view after) {
  return before == after ? "" : detail::library().compare_texts(path, before, after);
}

std::string root_of_repository(const std::string& path) {
  const Discovery found = discover(path);
  if (found.certain) return found.root;
  try {
    return open_repository(path)->root();
  } catch (const RepositoryError&) {
    return "";
  }
}

} // namespace reex
