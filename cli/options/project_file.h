// The file .reex.toml at the root of a repository: settings, the tests of the project, and what is
// suppressed.
//
// Invariants: each setting has a key of the option table, and a value that its row accepts. Every other key
// is one of those that docs/settings.md names. Paths of settings are absolute, or relative to the current
// folder; those of tests and globs are as in the file, relative to its folder.
//
// Errors: UsageError, which names file, line, column and key, and says what is accepted.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace reex {

struct FileSetting {
  std::string key;   // as that of git config: "bound", "hook.budget"
  std::string value; // as text
  std::string where; // ".reex.toml:3:9"
};

// One [[test]]: what the hook runs.
struct TestEntry {
  std::string name;
  std::string binary;
  std::vector<std::string> arguments;
  std::string folder; // the working folder; "" for that of the file
  std::string filter; // "": all tests of the binary
  std::vector<std::pair<std::string, std::string>> environment;
  std::vector<std::string> sources; // globs: the test is run if one of these files changed; empty: any change
  std::string where;
};

// Of a file of ThreadSanitizer's suppressions (cli/options/sanitizer_suppressions.h).
struct SanitizerPattern {
  std::vector<std::string> kinds; // of failures: "race", ...
  std::string text;               // "" for none
  bool innermost_only = false;    // of each stack only the innermost frame counts
};

// One [[suppress]], or a line of such a file: a race, another finding or a failure that is known. What is
// given must all match.
struct Suppression {
  std::string kind;     // "" for any; that of a failure: "race", "deadlock", ...
  std::string key;      // "" for any; its first digits are enough
  std::string function; // a glob; "" for any
  std::string file;     // a glob; "" for any
  std::string reason;
  std::string expires; // "2027-01-31", the last day on which it counts; "" for never
  std::string where;   // ".reex.toml:12"
  SanitizerPattern pattern = {};
};

struct ProjectFile {
  std::filesystem::path path;
  std::vector<FileSetting> settings;
  std::string build; // the command that builds the tests; "" for none
  std::vector<TestEntry> tests;
  std::vector<Suppression> suppressions;

  const FileSetting* find(const std::string& key) const; // null if it is not set
};

constexpr const char* k_project_file = ".reex.toml";

// nullopt if the folder has no such file.
std::optional<ProjectFile> read_project_file(const std::filesystem::path& root);

// `name` is the file's name for errors; relative paths of settings are taken from `root`.
ProjectFile parse_project_file(const std::string& text, const std::string& name,
                               const std::filesystem::path& root);

} // namespace reex
