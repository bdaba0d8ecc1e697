#include "impact/facts/parse.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

#include "git/module.h"
#include "impact/clang/library.h"
#include "impact/facts/facts_cache.h"
#include "impact/facts/facts_text.h"
#include "impact/facts/statements.h"
#include "impact/facts/system_headers.h"
#include "reex/process/forked_work.h"

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

bool precompile(const ParseJob& job, bool is_c, const std::string& text, const std::string& into,
                std::vector<std::string>& read) {
  return loaded().library != nullptr && loaded().library->precompile(job, is_c, text, into, read);
}

namespace {

// Libclang crashes on some programs that compile.
UnitFacts parse_apart(const ParseJob& job, const Overlays& overlays) {
  if (loaded().library == nullptr) return parse_unit(job, overlays);
  ForkedWork::Result result = ForkedWork([&] { return to_bytes(parse_unit(job, overlays)); }).result();
  if (result.problem.empty())
    if (std::optional<UnitFacts> facts = facts_of_bytes(result.bytes)) return *std::move(facts);
  UnitFacts facts;
  facts.main_file = job.file;
  facts.problem = "libclang ended with " + (result.problem.empty() ? "no facts" : result.problem);
  return facts;
}

UnitFacts parse_with(const SystemHeadersCache::Choice& choice, const ParseJob& job,
                     const Overlays& overlays) {
  if (choice.headers) {
    ParseJob quick = job;
    quick.arguments.insert(quick.arguments.end(), {"-include-pch", choice.headers->file});
    UnitFacts facts = parse_apart(quick, overlays);
    SystemHeadersCache::used(choice, facts.read);
    std::set<std::string> read(facts.read.begin(), facts.read.end());
    read.insert(choice.headers->read.begin(), choice.headers->read.end());
    facts.read.assign(read.begin(), read.end());
    if (facts.parsed && facts.problem.empty()) return facts;
  }
  return parse_apart(job, overlays);
}

} // namespace

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
  if (threads == 0) threads = std::max(1U, std::thread::hardware_concurrency());
  const auto begun = std::chrono::system_clock::now();
  std::vector<ParseJob> to_parse;
  for (const std::size_t i : missing) to_parse.push_back(jobs[i]);
  const SystemHeadersCache kept_headers(loaded().library == nullptr ? "" : cache.folder(), cache.maker());
  const std::vector<SystemHeadersCache::Choice> headers = kept_headers.choose(to_parse, overlays, threads);
  std::atomic<std::size_t> next = 0;
  std::mutex keeps; // one by one, so that what a killed process has parsed is not parsed again
  const auto work = [&] {
    for (std::size_t i = next++; i < missing.size(); i = next++) {
      const ParseJob& job = jobs[missing[i]];
      UnitFacts& facts = results[missing[i]];
      facts = parse_with(headers[i], job, overlays);
      const std::lock_guard lock(keeps);
      cache.keep(job, overlays, facts, begun);
    }
  };
  std::vector<std::jthread> pool;
  for (std::size_t i = 1; i < std::min<std::size_t>(threads, missing.size()); ++i) pool.emplace_back(work);
  work();
  pool.clear();
  return results;
}

} // namespace reex::impact
