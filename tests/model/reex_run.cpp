#include "tests/model/reex_run.h"

#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <sstream>
#include <stdexcept>

#include <nlohmann/json.hpp>

namespace reex::model {
namespace {

constexpr int k_hung_after_seconds = 180; // much longer than any of these runs; then the run fails

std::string quoted(const std::string& word) { return "'" + word + "'"; }

void read_outcome(const nlohmann::json& entry, Claim& claim) {
  Outcome outcome;
  outcome.output = entry.at("stdout").get<std::string>();
  if (!entry.at("failure").is_null()) outcome.failure = entry.at("failure").get<std::string>();
  const bool exits = outcome.failure.empty() || outcome.failure == "exit";
  if (exits == entry.at("exit").is_null()) {
    claim.error = "an outcome whose exit status contradicts its failure: " + entry.dump();
    return;
  }
  if (exits) outcome.exit = entry.at("exit").get<int>();
  claim.counted += entry.at("count").get<std::uint64_t>();
  claim.counts[outcome] = entry.at("count").get<std::uint64_t>();
  if (!claim.outcomes.emplace(outcome, entry.at("preemptions").get<unsigned>()).second)
    claim.error = "an outcome is listed twice: " + entry.dump();
}

void read_report(const std::string& path, Claim& claim) {
  std::ifstream file(path);
  if (!file) {
    claim.error = "no report was written";
    return;
  }
  try {
    const nlohmann::json report = nlohmann::json::parse(file);
    claim.schedules = report.at("schedules").get<std::uint64_t>();
    claim.pruned = report.at("pruned").get<std::uint64_t>();
    claim.followed = report.at("followed").get<std::uint64_t>();
    if (!report.at("bound_completed").is_null())
      claim.bound_completed = report.at("bound_completed").get<unsigned>();
    claim.exhausted = report.at("exhausted") == true;
    if (const auto& imunit = report.at("imunit"); !imunit.is_null()) {
      claim.schedule = imunit.at("verdict").get<std::string>();
      claim.stuck = imunit.at("stuck").get<std::uint64_t>();
    }
    for (const auto& gap : report.at("gaps")) claim.gaps[gap.at("kind")] = gap.at("effect");
    if (!report.at("refuted").is_null())
      claim.error = "an audit refutes the reduction: " + report.at("refuted").dump();
    for (const auto& entry : report.at("estimate")) {
      claim.estimate.push_back({.executed = entry.at("executed").get<std::uint64_t>(), .left = {}});
      if (!entry.at("schedules").is_null()) claim.estimate.back().left = entry.at("schedules").get<double>();
    }
    for (const auto& entry : report.at("outcomes")) read_outcome(entry, claim);
  } catch (const nlohmann::json::exception& error) {
    claim.error = std::string("the report: ") + error.what();
  }
}

std::string content(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::filesystem::path repository_of(std::filesystem::path folder) {
  while (!std::filesystem::exists(folder / ".git") && folder.has_relative_path())
    folder = folder.parent_path();
  if (folder.has_relative_path()) return folder;
  throw std::runtime_error("the comparison with heuristics needs the sources in a git repository");
}

// A diff whose new side is the file as it is, and which changes the lines with one of the words.
std::string change_of(const std::filesystem::path& path, const std::filesystem::path& root,
                      std::initializer_list<const char*> words) {
  const std::string name = path.lexically_relative(root).string();
  std::string diff = "--- a/" + name + "\n+++ b/" + name + "\n";
  std::istringstream lines(content(path.string()));
  unsigned number = 1;
  for (std::string line; std::getline(lines, line); ++number)
    if (std::any_of(words.begin(), words.end(),
                    [&](const char* word) { return line.find(word) != std::string::npos; })) {
      const std::string at = std::to_string(number);
      diff += "@@ -" + at + " +" + at + " @@\n-another line\n+" + line + "\n";
    }
  return diff;
}

} // namespace

ReexRun::ReexRun(std::string reex, std::string directory, const std::string& changed)
    : m_reex(std::move(reex)), m_directory(std::move(directory)) {
  if (changed.empty()) return;
  const std::string diff = m_directory + "/change.diff";
  const std::filesystem::path root = repository_of(changed);
  std::ofstream(diff) << change_of(changed, root, {".load()", "unlock()", "fetch_add("});
  m_change = " --diff " + quoted(diff) + " --repo " + quoted(root.string()) + " --heuristic ";
}

std::string ReexRun::exploration(const Configuration& configuration) const {
  return quoted(m_reex) + " --outcomes --keep-going 0 --strategy " + configuration.strategy + " --bound " +
         (configuration.bound ? std::to_string(*configuration.bound) : "none") + " --isolation " +
         configuration.isolation + " --reduction " + configuration.reduction + " --audit " +
         std::to_string(configuration.audit) + " --jobs " + std::to_string(configuration.jobs) + " --seed " +
         std::to_string(configuration.seed) + " --slice " + std::to_string(configuration.slice) +
         " --patience " + std::to_string(configuration.patience) +
         (configuration.spurious ? " --spurious" : "") +
         (configuration.heuristic.empty() ? "" : m_change + configuration.heuristic) +
         (configuration.samples == 0 ? "" : " --schedules " + std::to_string(configuration.samples));
}

Claim ReexRun::run(const Configuration& configuration, const std::string& binary,
                   const std::string& argument) const {
  const std::string report = m_directory + "/report.json";
  std::remove(report.c_str());
  const std::string all = exploration(configuration);
  const std::string test = " " + quoted(binary) + " -- " + quoted(argument);
  if (configuration.shards == 1) return read(all + " --format json:" + quoted(report) + test, report);
  std::string merge = quoted(m_reex) + " merge --format json:" + quoted(report);
  for (unsigned i = 1; i <= configuration.shards; ++i) {
    const std::string part = m_directory + "/shard-" + std::to_string(i) + ".json";
    Claim claim = read(all + " --shard " + std::to_string(i) + "/" + std::to_string(configuration.shards) +
                           " --format json:" + quoted(part) + test,
                       part);
    if (!claim.error.empty()) return claim;
    merge += " " + quoted(part);
  }
  Claim claim = read(merge, report);
  claim.command = all + " --shard 1/" + std::to_string(configuration.shards) + " (and so on)" + test;
  return claim;
}

// Reads the report that the command wrote.
Claim ReexRun::read(const std::string& command, const std::string& report) const {
  const std::string log = m_directory + "/log.txt";
  Claim claim;
  claim.command = command;
  const std::string shell = "cd " + quoted(m_directory) + " && timeout -k 5 " +
                            std::to_string(k_hung_after_seconds) + " " + claim.command + " >" + quoted(log) +
                            " 2>&1 </dev/null";
  const int status = std::system(shell.c_str());
  const int exit = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  read_report(report, claim);
  const bool may_be_open = claim.schedule == "not-met" && exit == 3;
  if (exit != 0 && exit != 1 && !may_be_open)
    claim.error =
        "exit status " + std::to_string(exit) + (exit == 124 ? " (hung)" : "") + ": " + content(log);
  return claim;
}

} // namespace reex::model
