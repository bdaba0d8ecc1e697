#include "cli/imunit/verify.h"

#include <chrono>
#include <fstream>
#include <regex>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/project/project_copy.h"
#include "cli/subject/binary.h"
#include "report/shell_quote.h"

namespace reex {
namespace {

constexpr int k_native_runs = 20;

using Json = nlohmann::json;

// GoogleTest prints how long a test took.
std::string without_times(const std::string& text) {
  static const std::regex times(R"(\(\d+ ms( total)?\))");
  return std::regex_replace(text, times, "(... ms)");
}

class Verification {
public:
  explicit Verification(const VerifyJob& job) : m_job(job), m_copy(job.root, job.binary.path) {}

  std::vector<Check> checks() {
    const Json before = explore("", m_job.binary.path);
    for (const MigratedFile& file : m_job.files) m_copy.write(file.path, file.checking);
    if (!build("the test with its sleeps and events")) return m_checks;
    const Json checked = explore("REEX_IMUNIT=check ", m_copy.at(m_job.binary.path).string());
    note("V1", "every execution with the sleeps satisfies the schedule", problem_of(checked, false));
    for (const MigratedFile& file : m_job.files) m_copy.write(file.path, file.migrated);
    if (!build("the migrated test")) return m_checks;
    const Json after = explore("", m_copy.at(m_job.binary.path).string());
    note("V2", "the migrated test is satisfied, and never stuck", problem_of(after, true));
    note("V3", "both have the same outcomes", difference(before, after));
    note("V4", fmt::format("{} native runs pass", k_native_runs), native_runs());
    return m_checks;
  }

private:
  void note(const std::string& name, const std::string& text, const std::string& problem) {
    m_checks.push_back({name, text, problem});
  }

  bool build(const std::string& what) {
    const std::string problem = m_copy.build(m_job.build);
    if (!problem.empty()) note("build", what + " is built", problem);
    return problem.empty();
  }

  std::string filter() const {
    std::string all;
    for (const std::string& test : m_job.tests) all += (all.empty() ? "" : ":") + test;
    return all;
  }

  Json explore(const std::string& environment, const std::string& binary) {
    const std::string report = (m_copy.folder() / "report.json").string();
    std::vector<std::string> words = {own_executable(),
                                      "run",
                                      "--outcomes",
                                      "--races",
                                      "report",
                                      "--bound",
                                      "1",
                                      "--color",
                                      "never",
                                      "-o",
                                      m_copy.folder().string(),
                                      "--format",
                                      "text,json:" + report};
    if (!filter().empty()) words.insert(words.end(), {"--filter", filter()});
    words.push_back(binary);
    words.emplace_back("--");
    words.insert(words.end(), m_job.arguments.begin(), m_job.arguments.end());
    std::remove(report.c_str());
    m_said = m_copy.run(environment + shell_command(words));
    std::ifstream file(report);
    return Json::parse(file, nullptr, false);
  }

  static Json runs_of(const Json& report) {
    if (!report.is_object()) return Json::array();
    return report.contains("runs") ? report.at("runs") : Json::array({report});
  }

  std::string problem_of(const Json& report, bool enforced) const {
    const Json runs = runs_of(report);
    if (runs.empty()) return "reex could not run it: " + m_said;
    for (const Json& run : runs) {
      const std::string name = run.at("test").value("name", "");
      for (const Json& failure : run.value("failures", Json::array()))
        return fmt::format("{} fails: {}: {}", name, failure.value("kind", ""), failure.value("message", ""));
      if (!enforced) continue;
      const Json imunit = run.value("imunit", Json());
      if (!imunit.is_object()) return name + " has no schedule in force";
      if (imunit.value("verdict", "") != "satisfied")
        return fmt::format("the schedule of {} is {}", name, imunit.value("verdict", ""));
      if (imunit.value("stuck", 0) != 0)
        return fmt::format("{} is stuck in {} executions", name, imunit.value("stuck", 0));
    }
    return "";
  }

  static std::set<std::string> outcomes_of(const Json& run) {
    std::set<std::string> result;
    for (const Json& outcome : run.value("outcomes", Json::array()))
      result.insert(fmt::format("exit {}, {}: {}", outcome.at("exit").dump(), outcome.at("failure").dump(),
                                without_times(outcome.value("stdout", ""))));
    return result;
  }

  static std::string difference(const Json& before, const Json& after) {
    const Json one = runs_of(before);
    const Json other = runs_of(after);
    if (one.empty() || one.size() != other.size()) return "there is nothing to compare";
    for (std::size_t i = 0; i < one.size(); ++i) {
      const std::set<std::string> was = outcomes_of(one[i]);
      const std::set<std::string> is = outcomes_of(other[i]);
      for (const std::string& outcome : is)
        if (was.count(outcome) == 0) return fmt::format("only the migrated test has: {}", outcome);
      for (const std::string& outcome : was)
        if (is.count(outcome) == 0) return fmt::format("only the sleep-based test has: {}", outcome);
    }
    return "";
  }

  std::string native_runs() {
    std::vector<std::string> words = {m_copy.at(m_job.binary.path).string()};
    words.insert(words.end(), m_job.arguments.begin(), m_job.arguments.end());
    if (!filter().empty()) words.push_back("--gtest_filter=" + filter());
    for (int run = 1; run <= k_native_runs; ++run)
      if (const std::string problem = m_copy.run("timeout 60 " + shell_command(words)); !problem.empty())
        return fmt::format("run {} fails: {}", run, problem);
    return "";
  }

  const VerifyJob& m_job;
  ProjectCopy m_copy;
  std::string m_said; // by reex
  std::vector<Check> m_checks;
};

} // namespace

std::vector<Check> verify_migration(const VerifyJob& job) { return Verification(job).checks(); }

} // namespace reex
