#include "reex/process/gtest_tests.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "reex/process/captured_process.h"
#include "reex/process/environment.h"
#include "reex/process/gtest_filter.h"

namespace reex {
namespace {

bool is_name(std::string_view text, std::string_view also) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    return plain || static_cast<unsigned char>(c) >= 0x80 || also.find(c) != std::string_view::npos;
  });
}

struct Line {
  std::string_view name;
  std::string_view comment;
};

// Splits "name  # comment". GoogleTest puts two blanks and a number sign between them.
Line split_comment(std::string_view line) {
  constexpr std::string_view k_separator = "  # ";
  const std::size_t at = line.find(k_separator);
  if (at == std::string_view::npos) return {line, {}};
  return {line.substr(0, at), line.substr(at + k_separator.size())};
}

bool starts_disabled(std::string_view name) {
  return name.starts_with("DISABLED_") || name.find("/DISABLED_") != std::string_view::npos;
}

std::string last_line(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
  const std::size_t newline = text.rfind('\n');
  return std::string(newline == std::string_view::npos ? text : text.substr(newline + 1));
}

std::string why_not(const CapturedProcess& process, std::chrono::milliseconds limit) {
  switch (process.end) {
  case CapturedProcess::End::not_started:
    return std::strerror(process.code);
  case CapturedProcess::End::timed_out:
    return fmt::format("no answer within {} ms", limit.count());
  case CapturedProcess::End::signalled:
    return fmt::format("signal {} ({})", process.code, strsignal(process.code));
  case CapturedProcess::End::exited:
    break;
  }
  const std::string said = last_line(process.stderr_text);
  return fmt::format("exit status {}{}{}", process.code, said.empty() ? "" : ", ", said);
}

} // namespace

std::vector<GtestTest> parse_gtest_list(std::string_view text) {
  std::vector<GtestTest> tests;
  std::string suite;
  std::string suite_parameter;
  while (!text.empty()) {
    const std::size_t newline = text.find('\n');
    std::string_view line = text.substr(0, newline);
    text.remove_prefix(newline == std::string_view::npos ? text.size() : newline + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);

    const Line parts = split_comment(line);
    if (parts.name.ends_with('.') && is_name(parts.name.substr(0, parts.name.size() - 1), "/")) {
      suite = parts.name;
      suite_parameter = parts.comment;
    } else if (!suite.empty() && parts.name.starts_with("  ") && is_name(parts.name.substr(2), "/<>,-")) {
      const std::string name(parts.name.substr(2));
      tests.push_back({suite + name, parts.comment.empty() ? suite_parameter : std::string(parts.comment),
                       starts_disabled(suite) || starts_disabled(name)});
    }
  }
  return tests;
}

std::vector<GtestTest> select_tests(const std::vector<GtestTest>& tests, std::string_view filter) {
  std::vector<GtestTest> selected;
  std::copy_if(tests.begin(), tests.end(), std::back_inserter(selected), [&](const GtestTest& test) {
    return !test.disabled && (filter.empty() || gtest_filter_matches(filter, test.name));
  });
  return selected;
}

std::vector<GtestTest> list_gtest_tests(const GtestListOptions& options) {
  std::error_code error;
  const std::string path = std::filesystem::absolute(options.binary, error).string();
  std::vector<std::string> environment = clean_environment();
  if (!options.preload.empty()) environment.push_back("LD_PRELOAD=" + options.preload);

  const CapturedProcess process =
      run_captured({error ? options.binary : path, "--gtest_list_tests"}, environment, options.limit);
  if (process.end != CapturedProcess::End::exited || process.code != 0) {
    throw GtestListError(
        fmt::format("{} does not list its tests ({}): run it with --gtest_list_tests to see why",
                    options.binary, why_not(process, options.limit)),
        shows_failure(process));
  }
  return parse_gtest_list(process.stdout_text);
}

} // namespace reex
