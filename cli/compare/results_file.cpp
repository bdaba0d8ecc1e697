#include "cli/compare/results_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/terminal/command_error.h"
#include "report/compare/comparison_json.h"

namespace reex {
namespace {

using Json = nlohmann::ordered_json;

constexpr int k_format = 2;

std::string line_of(const ResultsHead& head) {
  return Json{{"format", k_format},
              {"started", head.started},
              {"impacted_points", head.impacted_points},
              {"auto_heuristic", head.auto_heuristic},
              {"processor_seconds", head.analysis.processor_seconds},
              {"parsed", head.analysis.parsed},
              {"cached", head.analysis.cached}}
      .dump();
}

ResultsHead head_of(const std::string& line) {
  const Json json = Json::parse(line);
  if (json.at("format") != k_format) throw ComparisonFileError("another format");
  return {json.at("started"),
          json.at("impacted_points"),
          json.at("auto_heuristic"),
          {json.at("processor_seconds"), json.at("parsed"), json.at("cached")}};
}

} // namespace

ResultsFile::ResultsFile(const std::string& folder, bool fresh) : m_path(folder + "/results.jsonl") {
  m_file = open(m_path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (m_file < 0)
    throw UsageError(fmt::format("{} cannot be written ({}): choose another folder with -o DIR", m_path,
                                 std::strerror(errno)));
  if (flock(m_file, LOCK_EX | LOCK_NB) != 0) {
    close(m_file);
    throw UsageError(
        fmt::format("another comparison of the same test is at work on {}: wait for it", m_path));
  }
  if (fresh && ftruncate(m_file, 0) != 0)
    throw UsageError(fmt::format("{} cannot be emptied: remove it", m_path));
  try {
    read();
  } catch (...) {
    close(m_file);
    throw;
  }
}

ResultsFile::~ResultsFile() { close(m_file); }

// A line that was not written to its end is cut off: the next one begins a line of its own.
void ResultsFile::read() {
  std::string text;
  char bytes[65536];
  off_t at = 0;
  for (ssize_t count = 0; (count = pread(m_file, bytes, sizeof bytes, at)) > 0; at += count)
    text.append(bytes, static_cast<std::size_t>(count));
  const std::size_t whole = text.rfind('\n') + 1; // npos + 1 is 0
  if (whole != text.size() && ftruncate(m_file, static_cast<off_t>(whole)) != 0)
    throw UsageError(fmt::format("{} cannot be cut to whole lines: remove it", m_path));
  std::istringstream lines(text.substr(0, whole));
  try {
    for (std::string line; std::getline(lines, line); m_begun = true) {
      if (m_begun)
        m_runs.push_back(run_of_line(line));
      else
        m_head = head_of(line);
    }
  } catch (const std::exception& error) {
    throw UsageError(
        fmt::format("{} is damaged ({}): give --fresh to make all runs anew", m_path, error.what()));
  }
}

void ResultsFile::write(const std::string& line) {
  const std::string text = line + '\n';
  if (::write(m_file, text.data(), text.size()) != static_cast<ssize_t>(text.size()) ||
      fdatasync(m_file) != 0)
    throw UsageError(
        fmt::format("{} cannot be written ({}): make room, and compare again; the runs so far are kept",
                    m_path, std::strerror(errno)));
}

void ResultsFile::begin(const ResultsHead& head) {
  m_head = head;
  m_begun = true;
  write(line_of(head));
}

void ResultsFile::append(const RunRecord& run) {
  write(run_line(run));
  m_runs.push_back(run);
}

} // namespace reex
