#include "reex/trace/uninstrumented.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <string_view>

#include "reex/symbols/binary_info.h"

namespace reex {
namespace {

// The libraries of the language, of the compiler's checks, and of reex, and one that only switches between
// stacks. They are never instrumented.
constexpr std::array<std::string_view, 16> k_language_libraries = {
    "libc.so.",   "libm.so.",    "libstdc++.so.", "libgcc_s.so.",       "ld-linux",      "libpthread.so.",
    "libdl.so.",  "librt.so.",   "libatomic.so.", "libc++.so.",         "libc++abi.so.", "libreex_",
    "libtsan.so", "libubsan.so", "libunwind.so",  "libboost_context.so"};

} // namespace

bool is_of_the_language(const std::string& path) {
  const std::string name = std::filesystem::path(path).filename().string();
  return std::any_of(k_language_libraries.begin(), k_language_libraries.end(),
                     [&](std::string_view prefix) { return name.starts_with(prefix); });
}

void describe_uninstrumented(Control& control, const std::vector<MappedModule>& modules,
                             const std::vector<OperationCount>& counts, std::uint64_t schedules,
                             const std::set<std::string>& dormant) {
  control.counted_executions = std::min<std::uint64_t>(schedules, k_counted_executions);
  std::map<std::string, std::uint64_t> operations;
  for (const MappedModule& module : modules) {
    std::uint64_t& count = operations[module.path];
    for (const OperationCount& place : counts)
      if (place.pc > module.start && place.pc <= module.end) count += place.count;
  }
  for (const auto& [path, count] : operations) {
    if (is_of_the_language(path)) {
      control.operations_of_system += count;
      continue;
    }
    if (count == 0 && dormant.contains(path)) continue;
    if ((count != 0 || !is_system_library(path)) && !is_instrumented(path))
      control.uninstrumented.push_back({path, count});
  }
  std::stable_sort(control.uninstrumented.begin(), control.uninstrumented.end(),
                   [](const auto& a, const auto& b) { return a.operations > b.operations; });
}

std::string remedy_for_libraries(const Control& control, const std::string& binary,
                                 const std::vector<std::string>& told) {
  bool any = false;
  for (const UninstrumentedModule& module : control.uninstrumented) {
    if (module.path == binary) return "";
    if (is_system_library(module.path)) continue;
    const std::string name = std::filesystem::path(module.path).filename().string();
    any = any || std::find(told.begin(), told.end(), name) == told.end();
  }
  if (!any) return "";
  return "atomics and plain accesses of a library without hooks are no scheduling points: build it as the "
         "test "
         "is, with reex::instrument or what reex flags --compile prints";
}

} // namespace reex
