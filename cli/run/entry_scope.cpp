#include "cli/run/entry_scope.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "cli/terminal/command_error.h"

namespace reex {

EntryScope::EntryScope(const TestEntry& test) : m_folder(open(".", O_PATH | O_DIRECTORY | O_CLOEXEC)) {
  if (!test.folder.empty() && chdir(test.folder.c_str()) != 0) {
    const int error = errno;
    if (m_folder >= 0) close(m_folder);
    throw UsageError(fmt::format("{}: the folder {} cannot be entered ({}): correct it in {}", test.name,
                                 test.folder, std::strerror(error), k_project_file));
  }
  for (const auto& [name, value] : test.environment) {
    const char* before = std::getenv(name.c_str());
    m_before.emplace_back(name, before == nullptr ? std::nullopt : std::optional<std::string>(before));
    setenv(name.c_str(), value.c_str(), 1);
  }
}

EntryScope::~EntryScope() {
  for (auto one = m_before.rbegin(); one != m_before.rend(); ++one) {
    if (one->second)
      setenv(one->first.c_str(), one->second->c_str(), 1);
    else
      unsetenv(one->first.c_str());
  }
  if (m_folder >= 0) {
    if (fchdir(m_folder) != 0) { // it is gone: paths are absolute from here on
    }
    close(m_folder);
  }
}

} // namespace reex
