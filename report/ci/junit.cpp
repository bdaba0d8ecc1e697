#include "report/ci/junit.h"

#include <fmt/format.h>

#include <pugixml.hpp>
#include <sstream>

#include "report/document/run_words.h"
#include "report/failure_text.h"
#include "report/text/bytes_text.h"
#include "report/text/paths.h"
#include "report/text/text_layout.h"

namespace reex {
namespace {

// XML 1.0 has no control characters, and neither U+FFFE nor U+FFFF, however they are written.
std::string xml_text(const std::string& bytes) {
  std::string text = escape_for_terminal(bytes);
  for (const auto& [character, name] : {std::pair{"\xEF\xBF\xBE", "\\ufffe"}, {"\xEF\xBF\xBF", "\\uffff"}})
    for (std::size_t at = 0; (at = text.find(character, at)) != std::string::npos;) text.replace(at, 3, name);
  return text;
}

pugi::xml_node child(pugi::xml_node parent, const char* name, const std::string& text) {
  pugi::xml_node node = parent.append_child(name);
  if (!text.empty()) node.text().set(xml_text(text).c_str());
  return node;
}

void set(pugi::xml_node node, const char* name, const std::string& value) {
  node.append_attribute(name).set_value(xml_text(value).c_str());
}

struct Counts {
  std::size_t tests = 0;
  std::size_t failures = 0;
  std::size_t errors = 0;
  std::size_t skipped = 0;
  double seconds = 0;
};

class Writer {
public:
  explicit Writer(const RunReport& report) : m_report(report) {}

  std::string write() {
    pugi::xml_document document;
    pugi::xml_node declaration = document.append_child(pugi::node_declaration);
    declaration.append_attribute("version").set_value("1.0");
    declaration.append_attribute("encoding").set_value("UTF-8");
    pugi::xml_node all = document.append_child("testsuites");
    set(all, "name", "reex");
    pugi::xml_node suite = all.append_child("testsuite");
    const std::string name = m_report.runs.empty() ? "reex" : base_name(m_report.runs.front().binary);
    set(suite, "name", name);
    if (!m_report.runs.empty()) properties(suite, m_report.runs.front());
    for (const TestRun& run : m_report.runs) test(suite, name, run);
    for (const std::string& title : m_report.not_run) {
      pugi::xml_node node = test_case(suite, name, title, 0);
      set(node.append_child("skipped"), "message", "not run: the run ended before this test");
      ++m_counts.skipped;
    }
    for (const std::string& title : m_report.context.skipped) {
      pugi::xml_node node = test_case(suite, name, title, 0);
      set(node.append_child("skipped"), "message", "it can reach nothing that the change has an impact on");
      ++m_counts.skipped;
    }
    counts(all);
    counts(suite);
    std::ostringstream out;
    document.save(out, "  ", pugi::format_indent, pugi::encoding_utf8);
    return out.str();
  }

private:
  void properties(pugi::xml_node suite, const TestRun& run) {
    pugi::xml_node list = suite.append_child("properties");
    const auto property = [&](const char* name, const std::string& value) {
      pugi::xml_node node = list.append_child("property");
      set(node, "name", name);
      set(node, "value", value);
    };
    property("reex.version", m_report.context.version);
    property("reex.strategy", run.strategy);
    property("reex.seed", std::to_string(run.seed));
    property("reex.bound", run.bound ? std::to_string(*run.bound) : "none");
    property("reex.heuristic", run.heuristic.empty() ? "Basic" : run.heuristic);
    if (!m_report.context.base.empty()) property("reex.base", m_report.context.base);
  }

  pugi::xml_node test_case(pugi::xml_node suite, const std::string& binary, const std::string& name,
                           double seconds) {
    pugi::xml_node node = suite.append_child("testcase");
    // GoogleTest's "Suite.Test": viewers group by the class.
    const std::size_t dot = name.find('.');
    set(node, "name", dot == std::string::npos ? test_title(binary, name) : name.substr(dot + 1));
    set(node, "classname", dot == std::string::npos ? binary : binary + "." + name.substr(0, dot));
    set(node, "time", fmt::format("{:.3f}", seconds));
    ++m_counts.tests;
    m_counts.seconds += seconds;
    return node;
  }

  // One line, then the whole as the body.
  void result(pugi::xml_node node, const char* element, const std::string& type, const std::string& message,
              const std::string& body) {
    pugi::xml_node made = child(node, element, body);
    set(made, "type", type);
    set(made, "message", message);
  }

  void test(pugi::xml_node suite, const std::string& binary, const TestRun& run) {
    pugi::xml_node node = test_case(suite, binary, run.name, run.wall_seconds);
    if (run.ended == EndReason::not_begun) {
      ++m_counts.skipped;
      set(node.append_child("skipped"), "message", headline(run));
      return;
    }
    const Verdict verdict = verdict_of(run);
    std::string out = plain_run_text(m_report, run);
    switch (verdict) {
    case Verdict::failed:
      ++m_counts.failures;
      for (const Failure& failure : run.failures)
        result(node, "failure", failure.kind, short_thread_names(failure.message),
               plain_failure_text(m_report, run, failure));
      break;
    case Verdict::passed:
    case Verdict::no_failure_found:
      break;
    case Verdict::uncontrolled:
      if (is_beside_the_point(m_report, run)) {
        ++m_counts.skipped;
        set(node.append_child("skipped"), "message", headline(run));
        break;
      }
      [[fallthrough]];
    case Verdict::inconclusive:
    case Verdict::not_started:
    case Verdict::interrupted:
    case Verdict::error:
      ++m_counts.errors;
      result(node, "error", to_string(verdict), headline(run), out);
      break;
    }
    for (const Failure& failure : run.failures)
      if (const std::string command = replay_command(m_report, failure); !command.empty())
        out += "\nReplay " + failure.kind + " " + failure.key + ":\n  " + command + '\n';
    child(node, "system-out", out);
  }

  void counts(pugi::xml_node node) const {
    node.append_attribute("tests").set_value(static_cast<unsigned long long>(m_counts.tests));
    node.append_attribute("failures").set_value(static_cast<unsigned long long>(m_counts.failures));
    node.append_attribute("errors").set_value(static_cast<unsigned long long>(m_counts.errors));
    node.append_attribute("skipped").set_value(static_cast<unsigned long long>(m_counts.skipped));
    set(node, "time", fmt::format("{:.3f}", m_counts.seconds));
  }

  const RunReport& m_report;
  Counts m_counts;
};

} // namespace

std::string junit_xml(const RunReport& report) { return Writer(report).write(); }

} // namespace reex
