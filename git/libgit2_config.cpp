#include <git2.h>

#include "git/diff_walk.h"
#include "git/library.h"

namespace reex {

namespace {

class Libgit2Config : public GitConfig {
public:
  explicit Libgit2Config(const std::string& folder);
  ~Libgit2Config() override;
  Libgit2Config(const Libgit2Config&) = delete;
  Libgit2Config& operator=(const Libgit2Config&) = delete;

  std::string root() const override;
  std::vector<std::string> keys() const override;
  std::optional<std::string> value(const std::string& key) const override;
  std::vector<std::string> values(const std::string& key) const override;

private:
  detail::LibraryUse m_use; // the first member, so that it outlives the others
  git_repository* m_repository = nullptr;
  git_config* m_config = nullptr;
};

Libgit2Config::Libgit2Config(const std::string& folder) {
  git_config* live = nullptr;
  if (git_repository_open_ext(&m_repository, folder.c_str(), 0, nullptr) == 0) {
    git_repository_config(&live, m_repository);
  } else {
    git_config_open_default(&live);
  }
  // libgit2 gives out pointers to values only from a snapshot.
  if (live != nullptr) git_config_snapshot(&m_config, live);
  git_config_free(live);
}

Libgit2Config::~Libgit2Config() {
  git_config_free(m_config);
  git_repository_free(m_repository);
}

std::string Libgit2Config::root() const {
  const char* folder = m_repository == nullptr ? nullptr : git_repository_workdir(m_repository);
  return folder == nullptr ? "" : folder;
}

std::vector<std::string> Libgit2Config::keys() const {
  std::vector<std::string> names;
  if (m_config == nullptr) return names;
  git_config_foreach_match(
      m_config, "^reex\\.",
      [](const git_config_entry* entry, void* list) {
        static_cast<std::vector<std::string>*>(list)->emplace_back(entry->name);
        return 0;
      },
      &names);
  return names;
}

std::optional<std::string> Libgit2Config::value(const std::string& key) const {
  const char* text = nullptr;
  if (m_config == nullptr || git_config_get_string(&text, m_config, key.c_str()) != 0) return std::nullopt;
  // As in git, a key without a value is true.
  return text == nullptr ? "true" : text;
}

std::vector<std::string> Libgit2Config::values(const std::string& key) const {
  std::vector<std::string> values;
  if (m_config == nullptr) return values;
  git_config_get_multivar_foreach(
      m_config, key.c_str(), nullptr,
      [](const git_config_entry* entry, void* list) {
        static_cast<std::vector<std::string>*>(list)->emplace_back(entry->value == nullptr ? ""
                                                                                           : entry->value);
        return 0;
      },
      &values);
  return values;
}

} // namespace

namespace detail {
std::unique_ptr<GitConfig> make_config(const std::string& folder) {
  return std::make_unique<Libgit2Config>(folder);
}
} // namespace detail

} // namespace reex
