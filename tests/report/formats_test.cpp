#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>
#include <set>

#include "golden.h"
#include "report/ci/annotations.h"
#include "report/ci/junit.h"
#include "report/ci/markdown.h"
#include "report/ci/sarif.h"
#include "report/html/html_text.h"
#include "report/html/page.h"
#include "sample.h"

namespace reex {
namespace {

using Json = nlohmann::json;

// A run of two tests in every state that formats must tell apart.
struct Sample {
  sample::FakeSources sources;
  ChangeView change = sample::change();
  std::vector<TestRun> runs;

  RunReport report() {
    return {.runs = runs,
            .context = {"0.1.0", std::string(40, 'a'), runs.size() > 1, {}},
            .sources = sources,
            .change = &change,
            .root = "/project",
            .folder = "/project",
            .status = 1};
  }
};

TestRun failing_run() {
  TestRun run = sample::passing_run();
  run.name = "Queue.Drain";
  run.bound_completed = 0;
  run.ended = EndReason::failure_limit;
  run.failures = {sample::deadlock(), sample::failing_race()};
  run.findings = {sample::race()};
  return run;
}

Sample mixed() {
  Sample sample;
  TestRun passes = sample::passing_run();
  passes.name = "Queue.Passes";
  passes.gaps = {
      {"stale-values", "1 atomic load could have returned an older value", "", GapEffect::told},
      {"sleeps", "2 sleeps ordered the threads", "--sleeps any explores without them", GapEffect::told}};
  TestRun open = sample::passing_run();
  open.name = "Queue.Open";
  open.inconclusive.step_limit = 2;
  TestRun alone = sample::passing_run();
  alone.name = "Queue.Alone";
  alone.error = {ErrorKind::no_threads, "the test created no second thread"};
  alone.schedules = 0;
  sample.runs = {failing_run(), passes, open, alone};
  return sample;
}

Sample hostile() {
  Sample sample = mixed();
  sample.runs.resize(1);
  TestRun& run = sample.runs.front();
  run.name = "Bad.<script>alert(1)</script>&\"'|`*_";
  run.notes = {"<img src=x onerror=alert(2)>"};
  Failure& failure = run.failures.front();
  failure.message =
      "]]> </failure> </script><!-- ``` \x01\x7f \xff \xef\xbf\xbf @someone #12 %0A\nsecond::line";
  failure.how.trace[2].stack.back().function = "f<\"</script>\">()";
  failure.stdout_text = "</pre><script>alert(3)</script>\x1b[31m";
  return sample;
}

pugi::xml_document parsed_xml(const std::string& text) {
  pugi::xml_document document;
  const pugi::xml_parse_result result = document.load_string(text.c_str());
  EXPECT_TRUE(result) << result.description() << " at " << result.offset;
  return document;
}

TEST(Junit, HasACaseForEachTest) {
  Sample sample = mixed();
  RunReport report = sample.report();
  report.not_run = {"Queue.Later"};
  const std::string text = junit_xml(report);
  expect_golden(REEX_GOLDEN_FOLDER, "run.xml", text);
  const pugi::xml_document document = parsed_xml(text);
  const pugi::xml_node suite = document.child("testsuites").child("testsuite");
  EXPECT_EQ(suite.attribute("tests").as_int(), 5);
  EXPECT_EQ(suite.attribute("failures").as_int(), 1);
  EXPECT_EQ(suite.attribute("errors").as_int(), 1);
  EXPECT_EQ(suite.attribute("skipped").as_int(), 2);
  EXPECT_EQ(std::distance(suite.children("testcase").begin(), suite.children("testcase").end()), 5);
  const pugi::xml_node failed = suite.child("testcase");
  EXPECT_STREQ(failed.attribute("name").value(), "Drain");
  EXPECT_STREQ(failed.attribute("classname").value(), "drain.Queue");
  EXPECT_STREQ(failed.child("failure").attribute("type").value(), "deadlock");
  EXPECT_NE(std::string(failed.child("failure").text().get()).find("-- switch -- T2 preempted at queue.h:22"),
            std::string::npos);
  EXPECT_NE(std::string(failed.child("system-out").text().get())
                .find("reex replay .reex/failures/3f2a9c01b7de.reex"),
            std::string::npos);
}

TEST(Junit, KeepsWhatTheTestPrintedInsideItsElements) {
  Sample sample = hostile();
  const std::string text = junit_xml(sample.report());
  for (const char c : text)
    EXPECT_TRUE(static_cast<unsigned char>(c) >= 0x20 || c == '\n') << static_cast<int>(c);
  const pugi::xml_document document = parsed_xml(text);
  const pugi::xml_node failure =
      document.child("testsuites").child("testsuite").child("testcase").child("failure");
  EXPECT_EQ(std::string(failure.attribute("message").value()),
            "]]> </failure> </script><!-- ``` \\x01\\x7f \\xff \\uffff @someone #12 %0A\nsecond::line");
}

TEST(Sarif, HasAThreadFlowForEachThread) {
  Sample sample = mixed();
  const std::string text = sarif_json(sample.report());
  expect_golden(REEX_GOLDEN_FOLDER, "run.sarif", text);
  const Json run = Json::parse(text)["runs"][0];
  ASSERT_EQ(run["results"].size(), 3U);
  const Json& deadlock = run["results"][0];
  EXPECT_EQ(deadlock["ruleId"], "deadlock");
  EXPECT_EQ(run["tool"]["driver"]["rules"][deadlock["ruleIndex"].get<std::size_t>()]["id"], "deadlock");
  EXPECT_EQ(deadlock["partialFingerprints"]["reexKey/v1"], "3f2a9c01b7de");
  const Json& place = deadlock["locations"][0]["physicalLocation"];
  EXPECT_EQ(place["artifactLocation"]["uri"], "src/queue.h");
  EXPECT_EQ(place["artifactLocation"]["uriBaseId"], "SRCROOT");
  EXPECT_EQ(place["region"]["startLine"], 22);
  ASSERT_EQ(deadlock["codeFlows"][0]["threadFlows"].size(), 3U);
  std::set<int> orders;
  for (const Json& flow : deadlock["codeFlows"][0]["threadFlows"]) {
    int last = -1;
    for (const Json& at : flow["locations"]) {
      EXPECT_GT(at["executionOrder"].get<int>(), last);
      last = at["executionOrder"].get<int>();
      orders.insert(last);
    }
  }
  EXPECT_EQ(orders.size(), sample::deadlock().how.trace.size() + 1); // and where the threads stand at the end
  EXPECT_EQ(run["results"][2]["level"], "warning");
  EXPECT_EQ(run["results"][2]["relatedLocations"].size(), 2U);
}

TEST(Sarif, ShowsAtMostAThousandStepsOfALongExecution) {
  Sample sample = mixed();
  Failure& failure = sample.runs.front().failures.front();
  while (failure.how.trace.size() < 5000) {
    TraceStep step = failure.how.trace.back();
    step.step = static_cast<unsigned>(failure.how.trace.size());
    step.reason = SwitchReason::none;
    failure.how.trace.push_back(step);
  }
  const Json run = Json::parse(sarif_json(sample.report()))["runs"][0];
  std::size_t shown = 0;
  for (const Json& flow : run["results"][0]["codeFlows"][0]["threadFlows"]) shown += flow["locations"].size();
  EXPECT_LE(shown, 1000U);
  EXPECT_GE(shown, 8U);
  const std::string message = run["results"][0]["codeFlows"][0]["message"]["text"];
  EXPECT_NE(message.find(" of 5,000 steps"), std::string::npos) << message;
}

TEST(Markdown, FoldsTheInterleaving) {
  Sample sample = mixed();
  expect_golden(REEX_GOLDEN_FOLDER, "run.md", markdown_comment(sample.report()));
}

TEST(Markdown, LeavesOutWhatDoesNotFitAndSaysSo) {
  Sample sample = mixed();
  sample.runs.resize(1);
  std::vector<Failure>& failures = sample.runs.front().failures;
  failures.assign(100, sample::deadlock());
  for (const std::size_t limit :
       {std::size_t{65536}, std::size_t{20000}, std::size_t{2000}, std::size_t{600}}) {
    const std::string text = markdown_comment(sample.report(), limit);
    EXPECT_LE(text.size(), limit);
    EXPECT_NE(text.find(limit > 600 ? "Cut, because a comment has a limit" : "do not fit"), std::string::npos)
        << limit;
    const auto count = [&](const std::string& word) {
      std::size_t found = 0;
      for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos; ++at) ++found;
      return found;
    };
    EXPECT_EQ(count("<details>"), count("</details>"));
    EXPECT_EQ(count("\n```") % 2, 0U);
  }
}

TEST(Markdown, TakesNoMarkupFromTheTest) {
  Sample sample = hostile();
  const std::string text = markdown_comment(sample.report());
  EXPECT_EQ(text.find("<script>"), std::string::npos);
  EXPECT_EQ(text.find("@someone"), std::string::npos);
  EXPECT_EQ(text.find("someone #12"), std::string::npos);
  std::size_t row = text.find("| ❌");
  ASSERT_NE(row, std::string::npos);
  const std::string line = text.substr(row, text.find('\n', row) - row);
  EXPECT_EQ(std::count(line.begin(), line.end(), '|'), 7) << line;
}

TEST(Annotations, AreLinesAtTheirPlaces) {
  Sample sample = mixed();
  expect_golden(REEX_GOLDEN_FOLDER, "annotations.txt", github_annotations(sample.report()));
}

TEST(Annotations, EscapeWhatGitHubReads) {
  Sample sample = hostile();
  sample.runs.front().failures.resize(1);
  sample.runs.front().findings.clear();
  sample.runs.front().name = "A:B,C%";
  const std::string text = github_annotations(sample.report());
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1);
  EXPECT_NE(text.find("title=A%3AB%2CC%25%3A deadlock::"), std::string::npos) << text;
  EXPECT_NE(text.find("%250A%0Asecond::line%0AReplay it: reex replay"), std::string::npos) << text;
}

TEST(Html, HasTheInterleavingBesideTheChange) {
  Sample sample = mixed();
  std::string text = html_page(sample.report());
  // Style and script are files of their own.
  for (const auto& [begin, end] : {std::pair{"<style>\n", "</style>"}, {"<script>\n", "</script>"}}) {
    const std::size_t from = text.find(begin) + std::string_view(begin).size();
    text.erase(from, text.find(end, from) - from);
  }
  expect_golden(REEX_GOLDEN_FOLDER, "run.html", text);
}

TEST(Html, NamesWhatAllTestsHaveInCommon) {
  Sample sample = mixed();
  sample.runs.resize(2);
  sample.runs[0].arguments = {"--size=3", "--gtest_filter=A.B"};
  sample.runs[1].arguments = {"--gtest_filter=A.C", "--size=3"};
  sample.runs[0].binary = sample.runs[1].binary = "/project/build/queue_test";
  EXPECT_NE(html_page(sample.report()).find("queue_test --size=3</dd>"), std::string::npos);
  sample.runs[1].binary = "/project/build/other_test";
  const std::string text = html_page(sample.report());
  EXPECT_NE(text.find("2 tests of 2 programs</h1>"), std::string::npos) << text;
  EXPECT_NE(text.find("other_test --size=3</dd>"), std::string::npos) << text;
}

TEST(Html, LeavesOutWhatATestWithoutThreadsHasNot) {
  Sample sample = mixed();
  sample.runs.resize(1);
  sample.runs[0] = TestRun();
  sample.runs[0].binary = "/project/build/queue_test";
  sample.runs[0].error.kind = ErrorKind::no_threads;
  sample.runs[0].ended = EndReason::exhausted;
  EXPECT_EQ(html_page(sample.report()).find("What was explored"), std::string::npos);
}

TEST(Html, LinksStepsAndChangedLinesBothWays) {
  Sample sample = mixed();
  sample.runs.resize(1);
  const std::string text = html_page(sample.report());
  std::set<std::string> ids;
  for (std::size_t at = 0; (at = text.find(" id=\"", at)) != std::string::npos; ++at) {
    const std::string id = text.substr(at + 5, text.find('"', at + 5) - at - 5);
    EXPECT_TRUE(ids.insert(id).second) << id << " is there twice";
  }
  for (std::size_t at = 0; (at = text.find("href=\"#", at)) != std::string::npos; ++at) {
    const std::string id = text.substr(at + 7, text.find('"', at + 7) - at - 7);
    EXPECT_TRUE(ids.contains(id)) << "a link leads to " << id;
  }
  // Step 4 executed the line that the panel shows, and the line names the step.
  EXPECT_NE(text.find("<a class=\"mark\" href=\"#t0f0-l0\">"), std::string::npos);
  EXPECT_NE(text.find("href=\"#t0f0-s4\" title=\"step 4\""), std::string::npos);
}

TEST(Html, TakesNoMarkupFromTheTest) {
  Sample sample = hostile();
  const std::string text = html_page(sample.report());
  EXPECT_EQ(text.find("<script>alert"), std::string::npos);
  EXPECT_EQ(text.find("<img"), std::string::npos);
  EXPECT_EQ(text.find("http://"), std::string::npos);
  EXPECT_EQ(text.find("https://"), std::string::npos);
  std::size_t ends = 0;
  for (std::size_t at = 0; (at = text.find("</script>", at)) != std::string::npos; ++at) ++ends;
  EXPECT_EQ(ends, 2U); // the sources of the one execution with a trace, and the page's script
  for (const char c : text)
    EXPECT_TRUE(static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t') << static_cast<int>(c);
}

TEST(Html, EscapesJsonForAScript) {
  const std::string text = json_for_script(Json({{"a", "</script><!-- & \""}}).dump());
  EXPECT_EQ(text.find('<'), std::string::npos);
  EXPECT_EQ(Json::parse(text)["a"], "</script><!-- & \"");
}

} // namespace
} // namespace reex
