#include "reex/trace/unseen_code.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "reex/frameworks/table.h"
#include "reex/symbols/linkage.h"
#include "reex/symbols/plain_code.h"
#include "reex/trace/uninstrumented.h"

namespace reex {
namespace {

constexpr std::size_t k_names = 3; // in a text

struct Code {
  bool is_read = false; // otherwise nothing is known about it
  Linkage linkage;
  std::vector<std::string> without_hooks; // of an instrumented module
};

std::string file_name(const std::string& path) { return std::filesystem::path(path).filename().string(); }

const Code& code_of(const std::string& path) {
  static std::map<std::string, Code> known;
  const auto [found, added] = known.try_emplace(path);
  Code& code = found->second;
  if (!added) return code;
  const auto linkage = read_linkage(path);
  if (!linkage) return code;
  code.linkage = *linkage;
  code.is_read = true;
  if (!linkage->instrumented) return code;
  const auto without_hooks = code_without_hooks(path, k_names + 1);
  code.is_read = without_hooks.has_value();
  code.without_hooks = without_hooks.value_or(std::vector<std::string>{});
  return code;
}

bool calls(const Linkage& caller, const Linkage& library) {
  return std::any_of(caller.wanted.begin(), caller.wanted.end(),
                     [&](const std::string& name) { return library.offered.contains(name); });
}

} // namespace

std::vector<std::string> unseen_code(const std::vector<MappedModule>& modules) {
  std::set<std::string> paths;
  for (const MappedModule& module : modules)
    if (!is_of_the_language(module.path) && !module.path.empty() && module.path.front() == '/')
      paths.insert(module.path);
  std::set<std::string> needed;
  for (const std::string& path : paths)
    needed.insert(code_of(path).linkage.needed.begin(), code_of(path).linkage.needed.end());
  std::vector<std::string> unseen;
  for (const std::string& path : paths) {
    const Code& code = code_of(path);
    if (!code.is_read) {
      unseen.push_back(file_name(path) + " (which cannot be read)");
      continue;
    }
    if (code.linkage.instrumented) {
      for (const std::string& name : code.without_hooks)
        unseen.push_back(file_name(name) + " in " + file_name(path));
      continue;
    }
    // What threads tell each other there are the results of checks.
    if (is_framework_library(file_name(path))) continue;
    // Whom nobody needs came through dlopen.
    const bool called = !needed.contains(code.linkage.name) ||
                        std::any_of(paths.begin(), paths.end(), [&](const std::string& other) {
                          const Linkage& caller = code_of(other).linkage;
                          return caller.instrumented && calls(caller, code.linkage);
                        });
    if (called) unseen.push_back(file_name(path));
  }
  return unseen;
}

std::string unseen_code_names(const std::vector<std::string>& unseen) {
  std::string names;
  for (std::size_t i = 0; i < unseen.size() && i < k_names; ++i) names += (i == 0 ? "" : ", ") + unseen[i];
  if (unseen.size() > k_names) names += " and more";
  return names + (unseen.size() < 2 ? " is" : " are") + " not instrumented";
}

std::string unseen_order_reason(const std::vector<std::string>& unseen) {
  return (unseen.empty() ? "a library that the test loaded is not instrumented" : unseen_code_names(unseen)) +
         " and may have ordered the accesses; compile it with what reex flags --compile prints";
}

} // namespace reex
