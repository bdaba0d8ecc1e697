#include "cli/imunit/verify.h"

#include <algorithm>
#include <fstream>
#include <regex>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/project/project_copy.h"
#include "cli/subject/binary.h"
#include "reex/frameworks/table.h"
#include "report/text/shell_quote.h"

namespace reex {
namespace {

constexpr int k_native_runs = 20;
constexpr const char* k_budget = "20s"; // of an exploration of one test

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
    note("V1", "every execution with the sleeps satisfies the schedule" + how_far(checked),
         problems_of(checked, false));
    for (const MigratedFile& file : m_job.files) m_copy.write(file.path, file.migrated);
    if (!build("the migrated test")) return m_checks;
    const Json after = explore("", m_copy.at(m_job.binary.path).string());
    note("V2", "the migrated test is satisfied, and never stuck" + how_far(after), problems_of(after, true));
    note("V3", "both have the same outcomes", difference(before, after));
    note("V4", fmt::format("{} native runs pass", k_native_runs), native_runs());
    return m_checks;
  }

private:
  using Problems = std::map<std::string, std::string>; // by test

  void note(const std::string& name, const std::string& text, const Problems& problems) {
    m_checks.push_back({name, text, "", problems});
  }

  bool build(const std::string& what) {
    const std::string problem = m_copy.build(m_job.build);
    const bool no_header = problem.find("reex/imunit.h: No such") != std::string::npos ||
                           problem.find("'reex/imunit.h' file not found") != std::string::npos;
    const std::string hint =
        no_header ? "the test does not find reex/imunit.h: link its target with reex::imunit\n" : "";
    if (!problem.empty()) m_checks.push_back({"build", what + " is built", hint + problem, {}});
    return problem.empty();
  }

  // The name of a single test selects it. Of several, signs that mean something to a filter match any sign.
  std::string filter() const {
    if (m_job.tests.size() == 1) return m_job.tests.front();
    std::string all;
    for (std::string test : m_job.tests) {
      for (char& sign : test)
        if (sign == ':' || sign == '-' || sign == '*') sign = '?';
      all += (all.empty() ? "" : ":") + test;
    }
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
                                      "--budget",
                                      k_budget,
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

  Problems problems_of(const Json& report, bool enforced) const {
    Problems result;
    const Json runs = runs_of(report);
    for (const std::string& test : m_job.tests)
      if (std::none_of(runs.begin(), runs.end(), [&](const Json& run) { return name_of(run) == test; }))
        result[test] = "reex could not run it" + (m_said.empty() ? "" : ": " + m_said);
    for (const Json& run : runs)
      if (const std::string problem = problem_of(run, enforced); !problem.empty())
        result[name_of(run)] = problem;
    return result;
  }

  static std::string name_of(const Json& run) { return run.at("test").value("name", ""); }

  static std::string problem_of(const Json& run, bool enforced) {
    for (const Json& failure : run.value("failures", Json::array()))
      return fmt::format("fails: {}: {}", failure.value("kind", ""), failure.value("message", ""));
    if (!enforced) return "";
    const Json imunit = run.value("imunit", Json());
    if (!imunit.is_object()) return "has no schedule in force";
    if (imunit.value("verdict", "") != "satisfied")
      return fmt::format("its schedule is {}", imunit.value("verdict", ""));
    if (imunit.value("stuck", 0) != 0)
      return fmt::format("is stuck in {} executions", imunit.value("stuck", 0));
    return "";
  }

  static std::set<std::string> outcomes_of(const Json& run) {
    std::set<std::string> result;
    for (const Json& outcome : run.value("outcomes", Json::array()))
      result.insert(fmt::format("exit {}, {}: {}", outcome.at("exit").dump(), outcome.at("failure").dump(),
                                without_times(outcome.value("stdout", ""))));
    return result;
  }

  Problems difference(const Json& before, const Json& after) const {
    Problems result;
    for (const std::string& test : m_job.tests) {
      const std::set<std::string> was = outcomes_of(run_of(before, test));
      const std::set<std::string> is = outcomes_of(run_of(after, test));
      if (was.empty()) result[test] = "there is nothing to compare";
      for (const std::string& outcome : is)
        if (was.count(outcome) == 0 && !is_cut(run_of(before, test)))
          result[test] = "only the migrated test has: " + outcome;
      for (const std::string& outcome : was)
        if (is.count(outcome) == 0 && !is_cut(run_of(after, test)))
          result[test] = "only the sleep-based test has: " + outcome;
    }
    return result;
  }
  // What the rest would have shown is not known.
  static bool is_cut(const Json& run) { return run.value("ended", "") == "budget"; }
  static std::string how_far(const Json& report) {
    std::string cut;
    for (const Json& run : runs_of(report))
      if (is_cut(run)) cut += (cut.empty() ? "" : ", ") + (name_of(run).empty() ? "it" : name_of(run));
    return cut.empty() ? "" : fmt::format(" (explored for {} only: {})", k_budget, cut);
  }
  static Json run_of(const Json& report, const std::string& test) {
    for (const Json& run : runs_of(report))
      if (name_of(run) == test) return run;
    return Json::object();
  }

  Problems native_runs() {
    Problems result;
    for (const std::string& test : m_job.tests) {
      std::vector<std::string> words = arguments_of_case(m_job.framework, test, m_job.arguments);
      words.insert(words.begin(), m_copy.at(m_job.binary.path).string());
      for (int run = 1; run <= k_native_runs && result.count(test) == 0; ++run)
        if (const std::string problem = m_copy.run("timeout 60 " + shell_command(words)); !problem.empty())
          result[test] = fmt::format("run {} fails: {}", run, problem);
    }
    return result;
  }

  const VerifyJob& m_job;
  ProjectCopy m_copy;
  std::string m_said; // by reex, if it failed
  std::vector<Check> m_checks;
};

} // namespace

std::vector<Check> verify_migration(const VerifyJob& job) { return Verification(job).checks(); }

} // namespace reex
