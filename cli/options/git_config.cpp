#include "cli/options/git_config.h"

#include <git2.h>

namespace reex {

struct GitConfig::Impl {
  git_repository* repository = nullptr;
  git_config* config = nullptr;
};

GitConfig::GitConfig(const std::string& folder) : m_impl(std::make_unique<Impl>()) {
  git_libgit2_init();
  git_config* live = nullptr;
  if (git_repository_open_ext(&m_impl->repository, folder.c_str(), 0, nullptr) == 0) {
    git_repository_config(&live, m_impl->repository);
  } else {
    git_config_open_default(&live);
  }
  // libgit2 gives out pointers to values only from a snapshot.
  if (live != nullptr) git_config_snapshot(&m_impl->config, live);
  git_config_free(live);
}

GitConfig::~GitConfig() {
  git_config_free(m_impl->config);
  git_repository_free(m_impl->repository);
  git_libgit2_shutdown();
}

std::string GitConfig::root() const {
  const char* folder = m_impl->repository == nullptr ? nullptr : git_repository_workdir(m_impl->repository);
  return folder == nullptr ? "" : folder;
}

std::vector<std::string> GitConfig::keys(const std::string& section) const {
  std::vector<std::string> names;
  if (m_impl->config == nullptr) return names;
  const std::string pattern = "^" + section + "\\.";
  git_config_foreach_match(
      m_impl->config, pattern.c_str(),
      [](const git_config_entry* entry, void* list) {
        static_cast<std::vector<std::string>*>(list)->emplace_back(entry->name);
        return 0;
      },
      &names);
  return names;
}

std::optional<std::string> GitConfig::value(const std::string& key) const {
  const char* text = nullptr;
  if (m_impl->config == nullptr || git_config_get_string(&text, m_impl->config, key.c_str()) != 0)
    return std::nullopt;
  // As in git, a key without a value is true.
  return text == nullptr ? "true" : text;
}

std::vector<std::string> GitConfig::values(const std::string& key) const {
  std::vector<std::string> values;
  if (m_impl->config == nullptr) return values;
  git_config_get_multivar_foreach(
      m_impl->config, key.c_str(), nullptr,
      [](const git_config_entry* entry, void* list) {
        static_cast<std::vector<std::string>*>(list)->emplace_back(entry->value == nullptr ? ""
                                                                                           : entry->value);
        return 0;
      },
      &values);
  return values;
}

} // namespace reex
