#include "impact/facts/parse.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <optional>
#include <thread>

#include "git/module.h"
#include "impact/clang/library.h"
#include "impact/facts/facts_cache.h"
#include "impact/facts/statements.h"

namespace reex::impact {
namespace {

struct Loaded {
  const ClangLibrary* library = nullptr;
  std::string problem;
};

const Loaded& loaded() {
  static const Loaded once = [] {
    Loaded result;
    void* const symbol = module_symbol("libreex_clang.so", "reex_clang_library", result.problem);
    result.library = static_cast<const ClangLibrary*>(symbol);
    return result;
  }();
  return once;
}

} // namespace

std::string clang_version() { return loaded().library == nullptr ? "" : loaded().library->version(); }

std::string clang_resource_folder() {
  return loaded().library == nullptr ? "" : loaded().library->resource_folder();
}

UnitFacts parse_unit(const ParseJob& job, const Overlays& overlays) {
  if (loaded().library != nullptr) return loaded().library->parse_unit(job, overlays);
  UnitFacts facts;
  facts.main_file = job.file;
  facts.problem = "libclang cannot be loaded (" + loaded().problem + ")";
  return facts;
}

std::map<std::string, SourceShape>
parse_statements(const ParseJob& job, const std::vector<std::string>& files, std::string& problem) {
  if (loaded().library != nullptr) return loaded().library->parse_statements(job, files, problem);
  problem = "libclang cannot be loaded (" + loaded().problem + ")";
  return {};
}

std::vector<UnitFacts> parse_units(const std::vector<ParseJob>& jobs, const Overlays& overlays,
                                   unsigned threads, FactsCache& cache, bool parses) {
  std::vector<UnitFacts> results(jobs.size());
  std::vector<std::size_t> missing;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    std::optional<UnitFacts> kept = cache.find(jobs[i], overlays);
    if (kept) {
      results[i] = std::move(*kept);
    } else if (parses) {
      missing.push_back(i);
    } else {
      results[i].left_out = true;
    }
  }
  const auto begun = std::chrono::system_clock::now();
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < missing.size(); i = next++)
      results[missing[i]] = parse_unit(jobs[missing[i]], overlays);
  };
  if (threads == 0) threads = std::max(1U, std::thread::hardware_concurrency());
  std::vector<std::jthread> pool;
  for (std::size_t i = 1; i < std::min<std::size_t>(threads, missing.size()); ++i) pool.emplace_back(work);
  work();
  pool.clear();
  for (const std::size_t i : missing) cache.keep(jobs[i], overlays, results[i], begun);
  return results;
}

} // namespace reex::impact
