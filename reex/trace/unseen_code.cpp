#include "reex/trace/unseen_code.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>

#include "reex/frameworks/table.h"
#include "reex/symbols/linkage.h"
#include "reex/symbols/threadless.h"
#include "reex/symbols/unhooked_code.h"
#include "reex/trace/uninstrumented.h"

namespace reex {
namespace {

constexpr std::size_t k_names = 3; // in a text

struct Code {
  bool is_read = false; // otherwise nothing is known about it
  Linkage linkage;
  UnhookedCode without_hooks; // of an instrumented module
  bool threadless = false;    // of another one
};

std::string file_name(const std::string& path) { return std::filesystem::path(path).filename().string(); }

// The project's own libraries are not: a queue of theirs may order two threads by plain reads and writes
// alone.
bool is_of_the_system(const std::string& path) {
  return path.starts_with("/lib") || path.starts_with("/usr/lib");
}

const Code& code_of(const std::string& path) {
  static std::map<std::string, Code> known;
  const auto [found, added] = known.try_emplace(path);
  Code& code = found->second;
  if (!added) return code;
  const auto linkage = read_linkage(path);
  if (!linkage) return code;
  code.linkage = *linkage;
  code.is_read = true;
  if (!linkage->instrumented) {
    code.threadless = is_of_the_system(path) && is_threadless(path, *linkage);
    return code;
  }
  const auto without_hooks = code_without_hooks(path, k_names + 1);
  code.is_read = without_hooks.has_value();
  code.without_hooks = without_hooks.value_or(UnhookedCode{});
  return code;
}

// Of one of the language it is all that counts.
const std::vector<std::string>& needed_by(const std::string& path) {
  if (!is_of_the_language(path)) return code_of(path).linkage.needed;
  static std::map<std::string, std::vector<std::string>> known;
  const auto [found, added] = known.try_emplace(path);
  if (added)
    if (const auto linkage = read_linkage(path)) found->second = linkage->needed;
  return found->second;
}

bool calls(const Linkage& caller, const Linkage& library) {
  return std::any_of(caller.wanted.begin(), caller.wanted.end(),
                     [&](const std::string& name) { return library.offered.contains(name); });
}

// The functions of libgomp that the runtime knows (reex/shared/openmp.def).
bool is_known_openmp(const std::string& function) {
  static const std::set<std::string> known = {
#define REEX_OPENMP_CALL(function, object, use) #function,
#define REEX_OPENMP_OWN(function) #function,
#define REEX_OPENMP_FREE(function) #function,
#include "reex/shared/openmp.def"
  };
  return function.starts_with("omp_") || known.contains(function);
}

bool orders_as_known(const Linkage& caller, const Linkage& library) {
  return std::all_of(caller.wanted.begin(), caller.wanted.end(), [&](const std::string& name) {
    return !library.offered.contains(name) || is_known_openmp(name);
  });
}

// Libraries through which no thread waits for another one: they are threadless, and so is all that they need.
std::set<std::string> find_threadless(const std::set<std::string>& paths) {
  std::set<std::string> others; // names of libraries that are not
  const auto is_one = [&](const std::string& path) {
    const Code& code = code_of(path);
    return code.threadless && std::none_of(code.linkage.needed.begin(), code.linkage.needed.end(),
                                           [&](const std::string& name) { return others.contains(name); });
  };
  for (std::size_t before = paths.size() + 1; before != others.size();) {
    before = others.size();
    for (const std::string& path : paths)
      if (!is_one(path)) others.insert(code_of(path).linkage.name);
  }
  std::set<std::string> threadless;
  std::copy_if(paths.begin(), paths.end(), std::inserter(threadless, threadless.end()), is_one);
  return threadless;
}

// Strings most of whose members the library defines, under other names than those for which the runtime
// stands in.
struct ForeignString {
  std::string_view member; // how the mangled names of its members begin, behind _ZN or _ZNK
  std::string_view what;
  std::string_view remedy;
};
constexpr ForeignString k_foreign_strings[] = {
    {"Ss", "strings of the ABI before C++11", "compile without -D_GLIBCXX_USE_CXX11_ABI=0"},
    {"St3__112basic_string", "strings of libc++", "compile and link the test with -stdlib=libstdc++"},
};

// Who makes and destroys a string is alone with it.
bool is_member_of(const ForeignString& string, std::string_view name) {
  const auto begins = [&](std::string_view prefix) {
    return name.starts_with(prefix) && name.substr(prefix.size()).starts_with(string.member);
  };
  const bool lives = name.ends_with("D1Ev") || name.find("6__init") != std::string_view::npos;
  return !lives && (begins("_ZN") || begins("_ZNK"));
}

std::vector<UnseenCall> unseen_calls(const std::string& path, const Linkage& linkage) {
  std::vector<UnseenCall> calls;
  for (const ForeignString& string : k_foreign_strings)
    if (std::any_of(linkage.wanted.begin(), linkage.wanted.end(),
                    [&](const std::string& name) { return is_member_of(string, name); }))
      calls.push_back({file_name(path) + " has " + std::string(string.what), std::string(string.remedy)});
  return calls;
}

template <typename Item>
void unite(std::vector<Item>& all, const std::vector<Item>& more) {
  for (const Item& one : more)
    if (std::find(all.begin(), all.end(), one) == all.end()) all.push_back(one);
}

// "a, b, c and more".
std::string list_of(const std::vector<std::string>& names) {
  std::string list;
  for (std::size_t i = 0; i < names.size() && i < k_names; ++i) list += (i == 0 ? "" : ", ") + names[i];
  return list + (names.size() > k_names ? " and more" : "");
}

} // namespace

UnseenCode unseen_code(const std::vector<MappedModule>& modules, const std::set<std::string>& dormant) {
  std::set<std::string> paths;
  std::set<std::string> needed; // by those of the language, too: libunwind needs liblzma
  for (const MappedModule& module : modules) {
    if (module.path.empty() || module.path.front() != '/') continue;
    if (!is_of_the_language(module.path)) paths.insert(module.path);
    const auto& names = needed_by(module.path);
    needed.insert(names.begin(), names.end());
  }
  const std::set<std::string> threadless = find_threadless(paths);
  UnseenCode unseen;
  for (const std::string& path : paths) {
    const Code& code = code_of(path);
    if (!code.is_read) {
      unseen.plain.push_back(file_name(path) + " (which cannot be read)");
      continue;
    }
    if (code.linkage.instrumented) {
      const auto& [plain, switches, atomics] = code.without_hooks;
      for (const std::string& name : switches) unseen.switches.push_back(name + " in " + file_name(path));
      for (const std::string& name : plain)
        unseen.plain.push_back(file_name(name) + " in " + file_name(path));
      unseen.atomics.insert(unseen.atomics.end(), atomics.begin(), atomics.end());
      unite(unseen.calls, unseen_calls(path, code.linkage));
      continue;
    }
    // What threads tell each other there are the results of checks.
    if (is_framework_library(file_name(path))) continue;
    // Whom nobody needs came through dlopen.
    const bool came_later = !needed.contains(code.linkage.name);
    const bool called = came_later || std::any_of(paths.begin(), paths.end(), [&](const std::string& other) {
                          const Linkage& caller = code_of(other).linkage;
                          return caller.instrumented && calls(caller, code.linkage);
                        });
    if (!called || dormant.contains(path)) continue;
    const bool known = file_name(path).starts_with("libgomp.so") &&
                       std::all_of(paths.begin(), paths.end(), [&](const std::string& other) {
                         const Code& caller = code_of(other);
                         return caller.is_read && orders_as_known(caller.linkage, code.linkage);
                       });
    const bool waits_for_none = threadless.contains(path);
    (known ? unseen.known : waits_for_none ? unseen.threadless : unseen.plain).push_back(file_name(path));
    if (!came_later) unseen.libraries.insert(path);
  }
  return unseen;
}

void UnseenCode::add(const UnseenCode& other) {
  unite(plain, other.plain);
  unite(atomics, other.atomics);
  unite(calls, other.calls);
  unite(switches, other.switches);
  unite(known, other.known);
  unite(threadless, other.threadless);
  libraries.insert(other.libraries.begin(), other.libraries.end());
}

std::vector<std::string> UnseenCode::names() const {
  std::vector<std::string> all = plain;
  all.insert(all.end(), known.begin(), known.end());
  all.insert(all.end(), threadless.begin(), threadless.end());
  if (!atomics.empty())
    all.push_back("atomic instructions, assembly or exempted functions at " + list_of(atomics));
  return all;
}

std::string not_instrumented(const std::vector<std::string>& names) {
  const bool one = names.size() == 1 && !names.front().starts_with("atomic instructions, ");
  return list_of(names) + (one ? " is" : " are") + " not instrumented";
}

std::string remedy_of(const UnseenCode& unseen) {
  const auto is_static = [](const std::string& name) { return name.starts_with(k_static_library); };
  const auto statics = std::count_if(unseen.plain.begin(), unseen.plain.end(), is_static);
  const std::string link = "link the test without -static-libstdc++";
  const std::string compile = "build it with reex::instrument or what reex flags --compile prints";
  if (statics == 0) return compile;
  return static_cast<std::size_t>(statics) == unseen.names().size() ? link
                                                                    : link + ", and the rest: " + compile;
}

std::string unseen_order_reason(const UnseenCode& unseen) {
  const auto is_clangs_openmp = [](const std::string& name) { return name.starts_with("libomp.so"); };
  std::string remedy = remedy_of(unseen);
  if (unseen.plain.empty() && !unseen.atomics.empty())
    remedy = "use std::atomic, the compiler's __atomic functions or memcpy there";
  else if (unseen.atomics.empty() &&
           std::all_of(unseen.plain.begin(), unseen.plain.end(), is_clangs_openmp) && !unseen.plain.empty())
    remedy = "compile the test with g++, of whose OpenMP reex knows what orders threads";
  return (unseen.empty() ? "a library that the test loaded is not instrumented"
                         : not_instrumented(unseen.names())) +
         " and may have ordered the accesses: no two threads were met right before both; " + remedy;
}

} // namespace reex
