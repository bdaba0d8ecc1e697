#include "cli/hook/build_state.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <compare>
#include <csignal>
#include <filesystem>
#include <map>
#include <thread>

#include "report/text/shell_quote.h"

namespace reex {
namespace {

namespace fs = std::filesystem;

std::string below(const std::string& path, const std::string& root) {
  return path.starts_with(root + '/') ? path.substr(root.size() + 1) : "";
}

struct Source {
  std::string path; // relative to the root
  std::string module;
  auto operator<=>(const Source&) const = default;
};

// The checksum of each source of each program and library, "" if there is none.
std::map<Source, std::string> checksums(const BinaryInfo& binary, const std::string& root) {
  std::map<Source, std::string> sources;
  for (const CompileUnit& unit : binary.units) {
    for (const SourceFile& file : unit.files) {
      const std::string path = below(fs::path(file.path).lexically_normal().string(), root);
      std::error_code error;
      if (path.empty() || !fs::is_regular_file(file.path, error)) continue;
      std::string& md5 = sources[{path, unit.module}];
      if (md5.empty()) md5 = file.md5;
    }
  }
  return sources;
}

} // namespace

BuildState build_state(const BinaryInfo& binary, const std::string& root) {
  BuildState state;
  std::error_code error;
  const auto add = [](std::vector<std::string>& paths, const std::string& path) {
    if (paths.empty() || paths.back() != path) paths.push_back(path);
  };
  for (const auto& [source, md5] : checksums(binary, root)) {
    const std::string file = root + '/' + source.path;
    if (!md5.empty()) {
      if (md5_of_file(file) != md5) add(state.other, source.path);
      continue;
    }
    const fs::file_time_type built = fs::last_write_time(source.module, error);
    if (const auto written = fs::last_write_time(file, error); !error && written > built)
      add(state.newer, source.path);
  }
  return state;
}

std::vector<std::string> sources_of(const BinaryInfo& binary, const std::string& root) {
  std::vector<std::string> sources;
  for (const auto& [source, md5] : checksums(binary, root))
    if (sources.empty() || sources.back() != source.path) sources.push_back(source.path);
  return sources;
}

std::string rebuild_command(const std::string& binary) {
  constexpr std::array<std::pair<const char*, const char*>, 4> k_systems = {
      {{"CMakeCache.txt", "cmake --build"},
       {"build.ninja", "ninja -C"},
       {"GNUmakefile", "make -C"},
       {"Makefile", "make -C"}}};
  for (fs::path folder = fs::path(binary).parent_path(); folder.has_relative_path();
       folder = folder.parent_path())
    for (const auto& [file, command] : k_systems) {
      std::error_code error;
      if (fs::exists(folder / file, error))
        return fmt::format("{} {}", command, shell_quote(folder.string()));
    }
  return "";
}

// The command has a process group of its own, so that all of it can be ended. A shell that is about to start
// a program may lose one signal for it (dash does), so it is sent until all are gone.
int run_build(const std::string& command, const std::string& folder,
              const std::function<bool()>& interrupted) {
  constexpr std::chrono::milliseconds k_pause{20};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  // Standard input is git's list of references; standard output is for reports.
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  std::string words[] = {"sh", "-c", command};
  char* arguments[] = {words[0].data(), words[1].data(), words[2].data(), nullptr};
  pid_t child = 0;
  const int error = posix_spawnp(&child, "sh", &actions, &attributes, arguments, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return -1;
  int status = 0;
  for (pid_t ended = 0; ended != child; std::this_thread::sleep_for(k_pause)) {
    ended = waitpid(child, &status, WNOHANG);
    if (ended < 0 && errno != EINTR) return -1;
    if (interrupted()) kill(-child, SIGTERM);
  }
  for (int tries = 0; interrupted() && tries < 50 && kill(-child, SIGTERM) == 0; ++tries)
    std::this_thread::sleep_for(k_pause);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::string listed(const std::vector<std::string>& names) {
  if (names.empty()) return "";
  return names.size() == 1 ? names.front() : fmt::format("{} and {} more", names.front(), names.size() - 1);
}

} // namespace reex
