#include "cli/subject/test_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "cli/subject/binary.h"
#include "cli/subject/loaded_libraries.h"
#include "impact/sources/assertions.h"
#include "impact/sources/staleness.h"
#include "reex/hooks/flags.h"
#include "reex/process/test_list.h"
#include "reex/symbols/resolver.h"
#include "reex/trace/unseen_code.h"
#include "report/text/text_layout.h"

namespace reex {
namespace {

namespace fs = std::filesystem;

std::string joined(const std::vector<std::string>& names, const char* between) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : between) + name;
  return text;
}

Check check_hooks(const BinaryInfo& binary) {
  if (!binary.instrumented)
    return {"hooks", Health::note,
            "none: only calls of pthreads are scheduling points; atomics and data races are not seen",
            "link it with reex::instrument, or build it with what reex flags --compile and --link print"};
  if (!binary.links_tsan) return {"hooks", Health::good, "built with -fsanitize=thread", ""};
  const fs::path library = layout(own_executable()).libtsan / "libtsan.so.2";
  std::error_code error;
  if (!fs::exists(library, error))
    return {"hooks", Health::missing,
            fmt::format("it is linked with libtsan, and {}, which replaces it, is missing", library.string()),
            "build or install reex again"};
  return {"hooks", Health::good, "built with -fsanitize=thread and linked with libtsan, which reex replaces",
          ""};
}

// The user's own source files, with and without a checksum.
struct Sources {
  std::set<std::string> here;
  std::set<std::string> elsewhere;
  std::size_t with_md5 = 0;
  std::set<unsigned> versions;     // of DWARF
  std::set<std::string> compilers; // "GNU C++17 12.2.0"
};

Sources sources_of_units(const BinaryInfo& binary) {
  Sources sources;
  std::set<std::string> with_md5;
  for (const CompileUnit& unit : binary.units) {
    if (is_system_file(unit.name)) continue;
    sources.versions.insert(unit.dwarf);
    sources.compilers.insert(unit.producer.substr(0, unit.producer.find(" -"))); // g++ appends its options
    for (const SourceFile& file : unit.files) {
      std::error_code error;
      if (is_system_file(file.path) || fs::path(file.path).filename().string().starts_with('<')) continue;
      if (!file.md5.empty()) with_md5.insert(file.path);
      if (fs::is_regular_file(file.path, error))
        sources.here.insert(file.path);
      else if (!fs::is_directory(file.path, error))
        sources.elsewhere.insert(file.path);
    }
  }
  sources.with_md5 = with_md5.size();
  return sources;
}

Check check_debug_information(const BinaryInfo& binary, const Sources& sources) {
  const std::size_t files = sources.here.size() + sources.elsewhere.size();
  if (!binary.has_debug_info || files == 0)
    return {"debug information", Health::note,
            std::string(binary.has_debug_info ? "none of its own code" : "none") +
                ": reports name no lines, and --base finds no changed code",
            "compile it with -g, and do not strip it"};
  std::vector<std::string> versions;
  for (const unsigned version : sources.versions) versions.push_back(fmt::format("DWARF {}", version));
  const std::vector<std::string> compilers(sources.compilers.begin(), sources.compilers.end());
  return {"debug information", Health::good,
          fmt::format("{} of {}, by {}; {}", joined(versions, " and "), counted(files, "source file"),
                      joined(compilers, " and "),
                      sources.with_md5 == files ? "with MD5 sums of all of them"
                      : sources.with_md5 == 0
                          ? "without their MD5 sums, so that a stale binary is known by the files' times only"
                          : fmt::format("with MD5 sums of {}", sources.with_md5)),
          ""};
}

Checks check_sources(const BinaryInfo& binary, const Sources& sources) {
  Checks checks;
  if (!sources.elsewhere.empty())
    checks.push_back(
        {"sources", Health::note,
         fmt::format("{} not here, {} first", counted(sources.elsewhere.size(), "file is", "files are"),
                     *sources.elsewhere.begin()),
         "build it here: reports quote the sources, and --base compares them"});
  std::vector<std::string> notes;
  impact::check_staleness(binary, sources.here, notes);
  for (const std::string& note : notes) checks.push_back({"sources", Health::note, note, "build it again"});
  if (checks.empty() && !sources.here.empty())
    checks.push_back({"sources", Health::good, "those that it was built from", ""});
  return checks;
}

Checks check_assertions(const BinaryInfo& binary) {
  const std::string file = impact::compiled_out_assertions(binary);
  if (file.empty()) return {};
  return {{"assertions", Health::note,
           fmt::format("none of those in {}: if NDEBUG compiled them out, nothing checks them", file),
           "build it without -DNDEBUG"}};
}

Check check_tests(const BinaryInfo& binary) {
  const FrameworkRow* const row = row_of(binary.framework);
  if (row == nullptr)
    return {"tests", Health::good,
            "no GoogleTest, nor another framework: the program is one test, with its main function", ""};
  const std::string how = "run it by itself with " + list_arguments_text(binary.framework);
  try {
    const auto listed = list_tests({.binary = binary.path, .framework = binary.framework, .preload = ""});
    if (!listed)
      return {"tests", Health::note,
              fmt::format("{}, but it does not list its tests: it is explored as one program", row->name),
              how};
    const std::vector<TestCase>& tests = *listed;
    const auto disabled = static_cast<std::size_t>(
        std::count_if(tests.begin(), tests.end(), [](const TestCase& test) { return test.disabled; }));
    return {"tests", tests.size() == disabled ? Health::missing : Health::good,
            fmt::format("{}, {}, {} disabled", row->name, counted(tests.size(), "test"), disabled),
            "check that its tests are linked in"};
  } catch (const TestListError& error) {
    return {"tests", error.failed ? Health::missing : Health::note,
            fmt::format("{}, but {}", row->name, error.what()), how};
  }
}

Checks check_libraries(const LoadedLibraries& libraries) {
  Checks checks;
  for (const std::string& name : libraries.absent)
    checks.push_back({"libraries", Health::missing, "the loader does not find " + name,
                      "build or install it, or name its folder in LD_LIBRARY_PATH"});
  if (!libraries.error.empty())
    checks.push_back({"libraries", Health::missing, "the loader does not start it: " + libraries.error,
                      "run it by itself, and mend what the loader says"});
  return checks;
}

// As a run tells it, of what is loaded at the start; dlopen() may bring more.
Check check_coverage(const BinaryInfo& binary, const LoadedLibraries& libraries) {
  std::vector<MappedModule> modules;
  modules.push_back({.path = binary.path});
  for (const std::string& path : libraries.paths) modules.push_back({.path = path});
  const std::vector<std::string> unseen = unseen_code(modules).names();
  if (unseen.empty()) return {"its code", Health::good, "all of it has hooks", ""};
  return {
      "its code", Health::note,
      fmt::format("without hooks: {}; what threads tell each other there is not seen", joined(unseen, ", ")),
      "compile it with what reex flags --compile prints, and use std::atomic in place of assembly"};
}

} // namespace

Checks check_test(const BinaryInfo& binary) {
  const Sources sources = sources_of_units(binary);
  const LoadedLibraries libraries =
      loaded_libraries(binary, binary.links_tsan ? layout(own_executable()).libtsan.string() : "");
  Checks checks{check_hooks(binary)};
  if (binary.instrumented) checks.push_back(check_coverage(binary, libraries));
  const auto add = [&](const Checks& more) { checks.insert(checks.end(), more.begin(), more.end()); };
  add(check_libraries(libraries));
  checks.push_back(check_debug_information(binary, sources));
  add(check_sources(binary, sources));
  checks.push_back(check_tests(binary));
  add(check_assertions(binary));
  return checks;
}

} // namespace reex
