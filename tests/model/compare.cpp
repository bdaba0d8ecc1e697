// Checks the explorer's claim: an exploration with bound c reaches exactly the outcomes that need at most c
// preemptions, and reports the fewest preemptions of each; a strategy that samples reaches no other outcomes.
// It runs the reex command line on hand-written and generated programs, and compares the results with the
// brute-force model. Exit status 0: all agree; 1: there is a difference; 2: usage.
//
// Environment: REEX_BINARY, REEX_MODEL_PROGRAMS (the number of generated programs), REEX_MODEL_SEED (the
// first seed).
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "tests/model/generator.h"
#include "tests/model/model.h"
#include "tests/model/reex_run.h"
#include "tests/model/truth.h"

namespace {

using namespace reex::model;
namespace fs = std::filesystem;

constexpr const char* k_usage =
    "usage: model_compare [--kind files|interpreter|straight|spins|slices|apart|events|spurious] [--program "
    "FILE]\n"
    "                     [--seed FIRST] [--programs N] [--part I/N] [--mismatches N]\n"
    "                     [--counts] [--verbose]\n"
    "                     [--strategy NAME] [--bound N|none] [--isolation restore|fork]\n"
    "                     [--reduction none|auto|hb]\n";

// With about 0.1 s for each run, the default takes a minute for all kinds together.
constexpr std::uint64_t k_default_programs = 24;
// Every sixth program is also explored with --isolation fork, up to a bound with at most 400 schedules.
constexpr std::uint64_t k_fork_every = 6;
constexpr std::uint64_t k_fork_schedules = 400;
constexpr const char* k_samplers[] = {"random", "pos", "urw", "surw", "pct"};
// Their order is that of a change which the model does not know: the outcomes must be the same.
constexpr const char* k_heuristics[] = {"LOA", "LS", "LA", "LOS", "MA", "FA", "FS", "LOA+FS", "LA+FA+FS"};
constexpr std::uint64_t k_samples = 3000;
constexpr std::uint64_t k_samples_of_spins = 300;
// The seeds of the programs in the straight binary.
constexpr std::uint64_t k_straight_first = REEX_STRAIGHT_FIRST;
constexpr std::uint64_t k_straight_last = REEX_STRAIGHT_LAST;

struct Options {
  std::string kind = "interpreter";
  std::string program;
  std::uint64_t seed = 1;
  std::uint64_t programs = k_default_programs;
  std::uint64_t part = 1, parts = 1; // every so manieth program, from this one on
  std::string strategy, bound, isolation, reduction;
  bool counts = false; // `schedules` must also be equal to the model's; for exploration without reduction
  bool verbose = false;
  std::uint64_t mismatches = 5; // stop after this many programs that differ
};

struct Subject {
  std::string name;
  Program program;
  std::string binary;
  std::string argument;
  std::uint64_t number = 0;
  unsigned slice = 0; // operations of a time slice; 0: so many that no slice ends
  unsigned patience = 0;
};

std::string environment(const char* name, const std::string& otherwise) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : otherwise;
}

std::string content(const fs::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<Configuration> configurations(const Options& options, const Subject& subject,
                                          const Truth& truth) {
  std::vector<Configuration> all;
  for (const std::optional<unsigned> bound : {std::optional(0U), std::optional(1U), std::optional(2U), {}})
    all.push_back({"icb", bound, "restore"});
  all.push_back({"dfs", static_cast<unsigned>(subject.number % 3), "restore"});
  all.push_back({"dfs", {}, "restore"});
  for (const unsigned bound : {2U, 1U, 0U}) {
    if (subject.number % k_fork_every != 0 || truth.schedules_within(bound) > k_fork_schedules) continue;
    all.push_back({"icb", bound, "fork"});
    break;
  }
  // Another order of the same schedules, reduction, and samples. The strategies take turns.
  const std::uint64_t turn = subject.number;
  all.push_back({.strategy = turn % 2 == 0 ? "icb" : "dfs", .bound = turn % 3, .seed = 1 + turn});
  for (std::size_t i = all.size(); i-- > 0;) {
    all.push_back(all[i]);
    all.back().reduction = all[i].isolation == "fork" ? "hb" : "auto";
  }
  all.push_back({.strategy = "icb", .bound = 2, .jobs = 2});
  all.push_back({.strategy = turn % 2 == 0 ? "icb" : "dfs", .bound = {}, .reduction = "auto", .jobs = 3});
  constexpr unsigned k_shards[] = {2, 3, 5};
  const unsigned shards = k_shards[turn % std::size(k_shards)];
  const char* strategy = turn / 4 % 2 == 0 ? "dfs" : "icb";
  switch (turn % 4) {
  case 0:
    all.push_back({.strategy = strategy, .bound = turn / 4 % 4, .shards = shards, .seed = turn % 5});
    break;
  case 1:
    all.push_back({.strategy = "icb", .bound = 1 + turn / 4 % 2, .reduction = "auto", .shards = shards});
    break;
  case 2:
    all.push_back({.strategy = "icb", .bound = {}, .jobs = 2, .shards = shards});
    break;
  case 3:
    all.push_back({.strategy = "dfs", .bound = {}, .reduction = "auto", .jobs = 2, .shards = shards});
    break;
  }
  // In the order of a change.
  if (subject.binary == REEX_INTERPRETER) {
    const char* heuristic = k_heuristics[turn % std::size(k_heuristics)];
    for (const std::optional<unsigned> bound : {std::optional(1U), std::optional(2U), {}})
      for (const char* reduction : {"none", "auto"})
        all.push_back({.strategy = "icb", .bound = bound, .reduction = reduction, .heuristic = heuristic});
    all.push_back({.strategy = "icb",
                   .bound = 2,
                   .reduction = "auto",
                   .jobs = 2,
                   .seed = turn % 3,
                   .heuristic = heuristic});
    all.push_back({.strategy = "dfs", .bound = {}, .reduction = "auto", .heuristic = heuristic});
  }
  if (turn % 7 == 0)
    all.push_back({.strategy = "random", .bound = {}, .shards = shards, .seed = turn, .samples = 200});
  for (const std::uint64_t i : {turn, turn + 2})
    all.push_back(
        {.strategy = k_samplers[i % std::size(k_samplers)], .bound = {}, .seed = turn, .samples = k_samples});
  std::erase_if(all, [&](const Configuration& configuration) {
    const std::string bound = configuration.bound ? std::to_string(*configuration.bound) : "none";
    return (!options.strategy.empty() && options.strategy != configuration.strategy) ||
           (!options.bound.empty() && options.bound != bound) ||
           (!options.isolation.empty() && options.isolation != configuration.isolation) ||
           (!options.reduction.empty() && options.reduction != configuration.reduction);
  });
  if (!all.empty() || (options.strategy.empty() && options.bound.empty() && options.isolation.empty() &&
                       options.reduction.empty()))
    return all;
  Configuration asked;
  if (!options.strategy.empty()) asked.strategy = options.strategy;
  if (!options.bound.empty() && options.bound != "none")
    asked.bound = static_cast<unsigned>(std::stoul(options.bound));
  if (!options.isolation.empty()) asked.isolation = options.isolation;
  if (!options.reduction.empty()) asked.reduction = options.reduction;
  return {asked};
}

// Groups of threads: reduced, at each bound, and with several workers.
std::vector<Configuration> configurations_of_groups(const Subject& subject) {
  std::vector<Configuration> all;
  for (const std::optional<unsigned> bound : {std::optional(0U), std::optional(1U), std::optional(2U), {}}) {
    all.push_back({.strategy = "icb", .bound = bound, .reduction = "auto"});
    all.push_back({.strategy = "icb", .bound = bound, .reduction = "auto", .seed = 1 + subject.number});
  }
  all.push_back({.strategy = "dfs", .bound = {}, .reduction = "auto"});
  all.push_back({.strategy = "icb", .bound = subject.number % 3, .reduction = "auto", .jobs = 2});
  all.push_back({.strategy = "icb", .bound = {}, .reduction = "auto", .audit = 0, .jobs = 3});
  all.push_back({.strategy = "icb", .bound = 1, .reduction = "auto", .shards = 3});
  if (subject.number % k_fork_every == 0)
    all.push_back({.strategy = "icb", .bound = 1, .isolation = "fork", .reduction = "hb"});
  return all;
}

// Programs with schedules: with and without reduction, at each bound.
std::vector<Configuration> configurations_of_events(const Subject& subject) {
  std::vector<Configuration> all;
  for (const char* reduction : {"none", "auto"})
    for (const std::optional<unsigned> bound : {std::optional(0U), std::optional(1U), std::optional(2U), {}})
      all.push_back({.strategy = "icb", .bound = bound, .reduction = reduction});
  all.push_back({.strategy = "dfs", .bound = {}, .reduction = "auto", .seed = subject.number % 3});
  all.push_back({.strategy = "icb", .bound = {}, .reduction = "auto", .jobs = 2});
  if (subject.number % k_fork_every == 0)
    all.push_back({.strategy = "icb", .bound = 1, .isolation = "fork", .reduction = "hb"});
  if (subject.number % 4 == 1)
    all.push_back({.strategy = "icb", .bound = 2, .reduction = "auto", .shards = 2});
  all.push_back({.strategy = k_samplers[subject.number % std::size(k_samplers)],
                 .bound = {},
                 .seed = subject.number,
                 .samples = k_samples_of_spins});
  return all;
}

// Without a bound, and up to a bound; and samples.
std::vector<Configuration> configurations_of_spins(const Subject& subject) {
  std::vector<Configuration> all;
  for (const char* reduction : {"none", "auto"}) {
    all.push_back({.strategy = "icb", .bound = 1 + subject.number % 2, .reduction = reduction});
  }
  all.push_back(
      {.strategy = "icb", .bound = {}, .reduction = "auto"}); // without reduction, some are too large
  all.push_back({.strategy = "dfs", .bound = {}, .reduction = "auto", .jobs = 2});
  if (subject.number % k_fork_every == 0)
    all.push_back({.strategy = "icb", .bound = 1, .isolation = "fork", .reduction = "hb"});
  all.push_back({.strategy = k_samplers[subject.number % std::size(k_samplers)],
                 .bound = {},
                 .seed = subject.number,
                 .samples = k_samples_of_spins});
  return all;
}

// Programs whose executions are longer than a time slice.
std::vector<Configuration> configurations_of_slices(const Subject& subject) {
  std::vector<Configuration> all;
  for (const char* reduction : {"none", "auto"}) {
    for (const std::optional<unsigned> bound : {std::optional(0U), std::optional(1U), std::optional(2U), {}})
      all.push_back({.strategy = "icb", .bound = bound, .reduction = reduction});
    all.push_back({.strategy = "dfs", .bound = {}, .reduction = reduction, .jobs = 2});
  }
  all.push_back({.strategy = "icb", .bound = 1, .isolation = "fork", .reduction = "hb"});
  all.push_back({.strategy = k_samplers[subject.number % std::size(k_samplers)],
                 .bound = {},
                 .seed = subject.number,
                 .samples = k_samples_of_spins});
  for (Configuration& configuration : all) {
    configuration.slice = subject.slice;
    configuration.patience = subject.patience;
  }
  return all;
}

// Up to a bound: without one, a thread may wake up and wait again for ever.
std::vector<Configuration> configurations_of_wake_ups(const Subject& subject) {
  std::vector<Configuration> all;
  for (const char* reduction : {"none", "auto"})
    for (const unsigned bound : {0U, 1U, 2U, 3U})
      all.push_back({.strategy = "icb", .bound = bound, .reduction = reduction});
  all.push_back({.strategy = "dfs", .bound = subject.number % 3, .reduction = "auto"});
  all.push_back({.strategy = "icb", .bound = 2, .reduction = "auto", .seed = 1 + subject.number});
  all.push_back({.strategy = "icb", .bound = 2, .reduction = "auto", .jobs = 2});
  if (subject.number % k_fork_every == 0)
    all.push_back({.strategy = "icb", .bound = 1, .isolation = "fork", .reduction = "hb"});
  if (subject.number % 4 == 1)
    all.push_back({.strategy = "icb", .bound = 2, .reduction = "auto", .shards = 2});
  for (Configuration& configuration : all) configuration.spurious = true;
  return all;
}

class Comparison {
public:
  Comparison(Options options, fs::path directory)
      : m_options(std::move(options)), m_directory(std::move(directory)),
        m_reex(environment("REEX_BINARY", REEX_DEFAULT_BINARY), m_directory.string(),
               REEX_INTERPRETER_SOURCE) {}

  // Checks all subjects of the options, until too many differ.
  void run() {
    if (!m_options.program.empty()) {
      compare({m_options.program, parse(content(m_options.program)), REEX_INTERPRETER,
               fs::absolute(m_options.program).string()});
    } else if (m_options.kind == "files") {
      std::vector<fs::path> files;
      for (const auto& entry : fs::directory_iterator(REEX_MODEL_PROGRAMS_DIR)) files.push_back(entry.path());
      std::sort(files.begin(), files.end());
      for (const fs::path& file : files)
        compare({file.stem().string(), parse(content(file)), REEX_INTERPRETER, file.string(), m_seen});
    } else if (m_options.kind == "straight") {
      for (std::uint64_t seed = k_straight_first; seed <= k_straight_last; ++seed)
        compare(
            {"straight " + std::to_string(seed), generate(seed), REEX_STRAIGHT, std::to_string(seed), seed});
    } else if (m_options.kind == "slices") {
      for (std::uint64_t seed = k_straight_first; seed <= k_straight_last; ++seed) {
        const unsigned slice = seed % 2 == 0 ? 3 : 8;
        const auto patience = static_cast<unsigned>(seed % 3);
        compare({"straight " + std::to_string(seed) + " in slices of " + std::to_string(slice),
                 generate(seed), REEX_STRAIGHT, std::to_string(seed), seed, slice, patience});
      }
    } else {
      for (std::uint64_t seed = m_options.seed; seed < m_options.seed + m_options.programs; ++seed) {
        const fs::path file = m_directory / ("seed-" + std::to_string(seed) + ".txt");
        const bool spins = m_options.kind == "spins";
        const Program program = spins                          ? generate_spins(seed)
                                : m_options.kind == "apart"    ? generate_apart(seed)
                                : m_options.kind == "events"   ? generate_events(seed)
                                : m_options.kind == "spurious" ? generate_waits(seed)
                                                               : generate(seed);
        std::ofstream(file) << to_text(program);
        const bool agrees =
            compare({"seed " + std::to_string(seed), program, REEX_INTERPRETER, file.string(), seed});
        if (agrees) fs::remove(file);
      }
    }
  }

  std::uint64_t programs() const { return m_programs; }
  std::uint64_t runs() const { return m_runs; }
  std::uint64_t different() const { return m_different; }

private:
  bool compare(const Subject& subject) {
    if (m_different >= m_options.mismatches || m_seen++ % m_options.parts != m_options.part - 1) return true;
    ++m_programs;
    const bool spins = m_options.kind == "spins";
    const Truth truth(subject.program, spins, static_cast<int>(subject.slice),
                      static_cast<int>(subject.patience), m_options.kind == "spurious");
    bool agrees = true;
    for (const Configuration& configuration :
         spins                          ? configurations_of_spins(subject)
         : m_options.kind == "apart"    ? configurations_of_groups(subject)
         : m_options.kind == "events"   ? configurations_of_events(subject)
         : m_options.kind == "spurious" ? configurations_of_wake_ups(subject)
         : subject.slice != 0           ? configurations_of_slices(subject)
                                        : configurations(m_options, subject, truth)) {
      ++m_runs;
      const Claim claim = m_reex.run(configuration, subject.binary, subject.argument);
      std::string differences = truth.differences(claim, configuration, m_options.counts);
      if (configuration.shards > 1) differences += from_the_whole(claim, configuration, subject);
      if (m_options.verbose)
        std::cout << subject.name << ' ' << configuration.strategy << ' '
                  << (configuration.bound ? std::to_string(*configuration.bound) : "none") << ' '
                  << configuration.isolation << " seed " << configuration.seed << ' '
                  << configuration.reduction << ' ' << configuration.heuristic << " jobs "
                  << configuration.jobs << " shards " << configuration.shards << ": " << claim.schedules
                  << " schedules, " << claim.pruned << " cut short, " << claim.outcomes.size() << " outcomes"
                  << (differences.empty() ? "" : " DIFFERENT") << std::endl;
      if (differences.empty()) continue;
      if (agrees) std::cout << "---- " << subject.name << '\n' << to_text(subject.program);
      agrees = false;
      std::cout << "$ " << claim.command << '\n' << differences << std::flush;
    }
    if (!agrees) ++m_different;
    return agrees;
  }

  // All shards together claim what one run claims; with reduction, the numbers of executions may differ.
  std::string from_the_whole(const Claim& claim, Configuration configuration, const Subject& subject) const {
    configuration.shards = 1;
    const Claim whole = m_reex.run(configuration, subject.binary, subject.argument);
    std::string text;
    if (whole.outcomes != claim.outcomes) text += "the whole has other outcomes, or preemptions of them\n";
    if (configuration.reduction != "none") return text;
    if (whole.bound_completed != claim.bound_completed) text += "the whole has another bound_completed\n";
    if (whole.counts != claim.counts) text += "the whole has other counts of outcomes\n";
    if (whole.exhausted != claim.exhausted) text += "the whole has another `exhausted`\n";
    if (whole.schedules != claim.schedules) text += "the whole has another number of schedules\n";
    return text;
  }

  Options m_options;
  fs::path m_directory;
  ReexRun m_reex;
  std::uint64_t m_seen = 0;     // of all parts
  std::uint64_t m_programs = 0; // of this one
  std::uint64_t m_runs = 0;
  std::uint64_t m_different = 0;
};

Options parse_options(const std::vector<std::string>& words) {
  Options options;
  options.seed = std::stoull(environment("REEX_MODEL_SEED", "1"));
  options.programs = std::stoull(environment("REEX_MODEL_PROGRAMS", std::to_string(k_default_programs)));
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto argument = [&] {
      if (i + 1 == words.size()) throw std::invalid_argument(words[i] + " needs a value");
      return words[++i];
    };
    if (words[i] == "--kind") {
      options.kind = argument();
    } else if (words[i] == "--program") {
      options.program = argument();
    } else if (words[i] == "--seed") {
      options.seed = std::stoull(argument());
    } else if (words[i] == "--programs") {
      options.programs = std::stoull(argument());
    } else if (words[i] == "--strategy") {
      options.strategy = argument();
    } else if (words[i] == "--bound") {
      options.bound = argument();
    } else if (words[i] == "--isolation") {
      options.isolation = argument();
    } else if (words[i] == "--reduction") {
      options.reduction = argument();
    } else if (words[i] == "--part") {
      std::size_t slash = 0;
      const std::string text = argument();
      options.part = std::stoull(text, &slash);
      options.parts = slash < text.size() && text[slash] == '/' ? std::stoull(text.substr(slash + 1)) : 0;
      if (options.part < 1 || options.part > options.parts) throw std::invalid_argument("no part: " + text);
    } else if (words[i] == "--mismatches") {
      options.mismatches = std::stoull(argument());
    } else if (words[i] == "--counts") {
      options.counts = true;
    } else if (words[i] == "--verbose") {
      options.verbose = true;
    } else {
      throw std::invalid_argument("no option: " + words[i]);
    }
  }
  return options;
}

} // namespace

int main(int argc, char** argv) {
  Options options;
  try {
    options = parse_options({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::cerr << "model_compare: " << error.what() << '\n' << k_usage;
    return 2;
  }
  const fs::path directory = fs::temp_directory_path() / ("reex-compare-" + std::to_string(getpid()));
  fs::create_directories(directory);
  const auto begin = std::chrono::steady_clock::now();
  Comparison comparison(options, directory);
  comparison.run();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  std::cout << "compared " << comparison.programs() << " programs in " << comparison.runs() << " runs, "
            << seconds.count() << " s: " << comparison.different() << " differ\n";
  if (comparison.different() == 0) {
    fs::remove_all(directory);
  } else {
    std::cout << "the programs of the seeds that differ are in " << directory.string() << '\n';
  }
  return comparison.different() == 0 && comparison.runs() > 0 ? 0 : 1;
}
