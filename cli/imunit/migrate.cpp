#include "cli/imunit/migrate.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>
#include <system_error>

#include <fmt/format.h>

#include "cli/terminal/command_error.h"
#include "git/repository.h"
#include "git/unified_diff.h"
#include "imunit/rewrite.h"

namespace reex {
namespace {

namespace fs = std::filesystem;

// What the instances of a typed or parameterized test of GoogleTest have in common: "Suite/0.Name" and
// "Suite/1.Name", "All/Suite.Name/0". Other names as they are.
std::string body_of(const std::string& test) {
  static const std::regex typed(R"((?:.*/)?([^./]+)/\d+\.([^./]+))");
  static const std::regex parameterized(R"((?:.*/)?([^./]+)\.([^./]+)/[^.]*)");
  std::smatch parts;
  if (std::regex_match(test, parts, typed) || std::regex_match(test, parts, parameterized))
    return parts[1].str() + '.' + parts[2].str();
  return test;
}

// Two tests may share a helper, or the place of the #include.
std::vector<Edit> joined(const std::vector<Edit>& all) {
  std::vector<Edit> result;
  for (const Edit& edit : all) {
    const bool there = std::any_of(result.begin(), result.end(), [&](const Edit& other) {
      return other.offset == edit.offset && other.length == edit.length && other.text == edit.text;
    });
    if (!there) result.push_back(edit);
  }
  return result;
}

} // namespace

Migration migrate(const std::vector<InferredTest>& tests, const std::set<std::string>& not_inferred,
                  const std::string& folder, std::vector<std::string>& refusals) {
  Migration result;
  struct Edits {
    const inference::Source* source;
    std::vector<Edit> checking;
    std::vector<Edit> migrated;
  };
  std::map<std::string, Edits> by_file;
  std::map<std::string, std::pair<std::string, std::string>> bodies; // an instance, and what it becomes
  std::map<std::string, std::string> split;                          // by body: instances that do not agree
  for (const std::string& name : not_inferred) bodies.try_emplace(body_of(name), name, "");
  std::map<const InferredTest*, inference::Rewriting> rewritings;
  for (const InferredTest& test : tests) {
    inference::Rewriting& rewriting = rewritings[&test];
    rewriting = inference::rewrite(test.inference, *test.source);
    const std::string becomes =
        rewriting.refusal.empty() ? applied(test.source->text(), joined(rewriting.edits)) : "";
    const auto [other, first] = bodies.try_emplace(body_of(test.name), test.name, becomes);
    if (!first && other->second.second != becomes)
      split.try_emplace(other->first, fmt::format("{} and {}", other->second.first, test.name));
  }
  for (const InferredTest& test : tests) {
    inference::Rewriting& rewriting = rewritings[&test];
    if (const auto found = split.find(body_of(test.name)); rewriting.refusal.empty() && found != split.end())
      rewriting.refusal = "one schedule cannot be that of its instances " + found->second;
    if (!rewriting.refusal.empty()) {
      refusals.push_back(
          fmt::format("{}: {}", test.name.empty() ? test.source->path() : test.name, rewriting.refusal));
      continue;
    }
    result.tests.push_back(test.name);
    Edits& edits = by_file.try_emplace(test.source->path(), Edits{test.source.get(), {}, {}}).first->second;
    edits.migrated.insert(edits.migrated.end(), rewriting.edits.begin(), rewriting.edits.end());
    const inference::Rewriting checking =
        inference::rewrite(test.inference, *test.source, {.removes_sleeps = false});
    edits.checking.insert(edits.checking.end(), checking.edits.begin(), checking.edits.end());
  }
  for (const auto& [path, edits] : by_file) {
    const std::string& text = edits.source->text();
    const std::vector<Edit> migrated = joined(edits.migrated);
    result.files.push_back({path, applied(text, joined(edits.checking)), applied(text, migrated)});
    const std::string shown = path.starts_with(folder + '/') ? path.substr(folder.size() + 1) : path;
    result.diff += unified_diff(shown, text, applied(text, migrated));
  }
  return result;
}

void require_clean(const std::string& path) {
  const std::string remedy = "commit it first, or give --force";
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  try {
    const auto repository = open_repository(path);
    const std::string relative = fs::path(path).lexically_relative(repository->root()).string();
    const auto committed = repository->content(repository->resolve("HEAD"), relative);
    if (!committed)
      throw UsageError(fmt::format("{} is not committed, and would be overwritten: {}", path, remedy));
    if (*committed != text.str())
      throw UsageError(fmt::format("{} has changes that are not committed: {}", path, remedy));
  } catch (const RepositoryError& error) {
    throw UsageError(
        fmt::format("{} is in no repository that could bring it back ({}): {}", path, error.what(), remedy));
  }
}

void replace_file(const std::string& path, const std::string& text) {
  const std::string beside = path + ".reex-new";
  std::error_code error;
  {
    std::ofstream file(beside, std::ios::binary | std::ios::trunc);
    file << text << std::flush;
    if (!file) throw UsageError(fmt::format("{} cannot be written: the file is as it was", beside));
  }
  fs::permissions(beside, fs::status(path).permissions(), error);
  fs::rename(beside, path, error);
  if (error)
    throw UsageError(fmt::format("{} cannot be replaced ({}): it is as it was", path, error.message()));
}

} // namespace reex
