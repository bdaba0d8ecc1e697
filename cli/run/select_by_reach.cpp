#include "cli/run/select_by_reach.h"

#include <fmt/format.h>

#include "impact/sources/lexical.h"

namespace reex {
namespace {

// "Suite.Name", or "Instance/Suite.Name/3" with parameters: the class Suite_Name_Test. A typed suite,
// "Suite/0.Name", is a template, whose cases are not told apart.
std::string googletest_class(const std::string& test) {
  const std::size_t dot = test.find('.');
  if (dot == std::string::npos) return "";
  std::string suite = test.substr(0, dot);
  std::string name = test.substr(dot + 1);
  const std::size_t instance = suite.find('/');
  const std::size_t parameter = name.find('/');
  if (instance != std::string::npos && parameter == std::string::npos) return "";
  if (instance != std::string::npos) suite.erase(0, instance + 1);
  if (parameter != std::string::npos) name.erase(parameter);
  return suite + '_' + name + "_Test";
}

// Nobody compiles these, or reads them in a test.
bool is_document(const std::string& path) {
  if (path.starts_with(".github/")) return true;
  const std::string name = path.substr(path.rfind('/') + 1);
  return name.ends_with(".md") || name.ends_with(".rst") || name.ends_with(".adoc") || name == ".gitignore" ||
         name == ".clang-format" || name == "LICENSE";
}

std::string why_unknown(const Impact& impact) {
  if (impact.no_cpp_changes) return "the change touches nothing of C or C++";
  for (const FileChange& change : impact.changes)
    for (const std::string& path : {change.old_path, change.new_path})
      if (!path.empty() && !impact::is_cpp_file(path) && !is_document(path))
        return path + " changed, which is not C or C++";
  if (!impact.reach) return "the change is not analysed";
  return impact.reach->unknown;
}

} // namespace

std::string case_in_sources(Framework framework, const std::string& test) {
  switch (framework) {
  case Framework::googletest:
    return googletest_class(test);
  case Framework::catch2:
  case Framework::catch2_v2:
  case Framework::doctest:
    return test;
  case Framework::boost_test:
  case Framework::qt_test:
  case Framework::cpputest:
  case Framework::cppunit:
  case Framework::none:
    break;
  }
  return "";
}

SelectedTests select_by_reach(const TestSelection& tests, const Impact& impact) {
  SelectedTests selected;
  if (const std::string why = why_unknown(impact); !why.empty()) {
    selected.kept = tests.names;
    selected.why_all = why;
    selected.notes.push_back("--select: no test is skipped, because " + why);
    return selected;
  }
  std::size_t unknown = 0;
  for (const std::string& name : tests.names) {
    const std::string known_as = case_in_sources(tests.framework, name);
    const bool known = tests.framework == Framework::none || impact.reach->cases.contains(known_as);
    const bool out = tests.framework == Framework::none ? impact.reach->program_out_of_reach
                                                        : impact.reach->out_of_reach.contains(known_as);
    (known && out ? selected.skipped : selected.kept).push_back(name);
    unknown += known ? 0 : 1;
  }
  selected.notes.push_back(fmt::format("--select: {} of {} tests can reach nothing impacted, and {} skipped",
                                       selected.skipped.size(), tests.names.size(),
                                       selected.skipped.size() == 1 ? "is" : "are"));
  if (unknown > 0)
    selected.notes.push_back(fmt::format(
        "--select: {} of the tests are not skipped, because they are not found in the sources", unknown));
  return selected;
}

} // namespace reex
