#include "cli/subject/test_entries.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cli/options/glob.h"
#include "cli/terminal/command_error.h"
#include "git/config.h"

namespace reex {
namespace {

namespace fs = std::filesystem;

// A name without a slash is a file below the root too: PATH is not searched.
std::string below(const std::string& root, const std::string& path) {
  return (fs::path(root) / path).lexically_normal().string();
}

std::string root_of(const Settings& settings, const GitConfig& config, const std::string& folder) {
  std::string root = config.root();
  if (root.empty()) root = settings.file ? settings.file->path.parent_path().string() : folder;
  std::error_code error;
  const std::string canonical = fs::canonical(root.empty() ? folder : root, error).string();
  return error ? root : canonical;
}

} // namespace

ProjectTests require_project_tests(const Settings& settings) {
  std::error_code ignored;
  const std::string folder = fs::current_path(ignored).string();
  const std::unique_ptr<GitConfig> config = open_config(folder);
  ProjectTests project;
  project.root = root_of(settings, *config, folder);
  const std::vector<std::string> configured = config->values("reex.test");
  if (settings.file) {
    project.build = settings.file->build;
    project.tests = settings.file->tests;
    project.origin = k_project_file;
    if (!project.tests.empty() && !configured.empty())
      project.notes.emplace_back("git config reex.test is not used: .reex.toml names the tests");
  }
  if (project.tests.empty()) {
    project.origin = "git config reex.test";
    for (const std::string& binary : configured) {
      TestEntry& test = project.tests.emplace_back();
      test.name = fs::path(binary).filename().string();
      test.binary = binary;
    }
  }
  if (project.tests.empty())
    throw UsageError(
        "no test binary was given, and the project names none: reex TEST_BINARY, or write [[test]] "
        "and binary = \"build/my_test\" into .reex.toml, or git config reex.test build/my_test");
  for (TestEntry& test : project.tests) {
    test.binary = below(project.root, test.binary);
    test.folder = below(project.root, test.folder);
    while (test.folder.size() > 1 && test.folder.back() == '/') test.folder.pop_back();
    if (test.name.empty()) test.name = fs::path(test.binary).filename().string();
  }
  return project;
}

bool concerns(const TestEntry& test, const std::vector<std::string>& files) {
  return test.sources.empty() || std::any_of(files.begin(), files.end(), [&](const std::string& file) {
           return std::any_of(test.sources.begin(), test.sources.end(),
                              [&](const std::string& glob) { return glob_matches_path(glob, file); });
         });
}

} // namespace reex
