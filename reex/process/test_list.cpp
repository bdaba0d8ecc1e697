#include "reex/process/test_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "reex/process/captured_process.h"
#include "reex/process/environment.h"
#include "reex/process/test_filter.h"

namespace reex {
namespace {

using Tests = std::optional<std::vector<TestCase>>;

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

CapturedProcess run_program(const TestListOptions& options, const std::vector<std::string>& arguments) {
  std::error_code error;
  const std::string path = std::filesystem::absolute(options.binary, error).string();
  std::vector<std::string> environment = clean_environment();
  if (!options.preload.empty()) environment.push_back("LD_PRELOAD=" + options.preload);
  std::vector<std::string> command{error ? options.binary : path};
  command.insert(command.end(), options.arguments.begin(), options.arguments.end());
  command.insert(command.end(), arguments.begin(), arguments.end());
  return run_captured(command, environment, options.limit);
}

// Of a program that ends by itself, a status other than 0 may be the answer: Catch2 returned the number of
// cases. What is no list says nothing about why.
Tests ask(const TestListOptions& options, const std::vector<std::string>& more) {
  const FrameworkRow& row = *row_of(options.framework);
  std::vector<std::string> arguments = row.list;
  arguments.insert(arguments.end(), more.begin(), more.end());
  const CapturedProcess process = run_program(options, arguments);
  const bool exited = process.end == CapturedProcess::End::exited;
  Tests tests;
  if (exited && (process.code == 0 || row.framework != Framework::googletest))
    tests = row.parse({process.stdout_text, process.stderr_text, process.code});
  if (!tests && (!exited || row.framework == Framework::googletest))
    throw TestListError(fmt::format("{} does not list its tests ({}): run it with {} to see why",
                                    options.binary, why_not(process, options.limit),
                                    list_arguments_text(options.framework)),
                        shows_failure(process));
  return tests;
}

// Of several test classes of Qt in one program, the first one answers for all, and each one must know a
// function.
bool can_choose(const TestListOptions& options, const std::vector<TestCase>& tests) {
  const FrameworkRow& row = *row_of(options.framework);
  if (row.choose_nothing == nullptr || tests.empty()) return true;
  if (name_a_test(options.framework, options.arguments, tests)) return true; // these would be executed
  return run_program(options, row.choose_nothing(tests.front().name)).stderr_text.find(row.cannot_choose) ==
         std::string::npos;
}

Tests list_all(const TestListOptions& options) {
  const FrameworkRow& row = *row_of(options.framework);
  if (row.list.empty()) return std::nullopt;
  Tests enabled = ask(options, {});
  if (enabled && !can_choose(options, *enabled)) return std::nullopt;
  if (!enabled || row.all.empty()) return enabled;
  Tests all = ask(options, row.all);
  if (!all) return enabled;
  for (TestCase& test : *all)
    test.disabled =
        test.disabled || std::none_of(enabled->begin(), enabled->end(),
                                      [&](const TestCase& other) { return other.name == test.name; });
  return all;
}

// With the test's arguments, which need not be the framework's: what answers with no list, or with an empty
// one, has not been asked.
Tests list_chosen(const TestListOptions& options) {
  try {
    if (Tests tests = list_all(options); tests && !tests->empty()) return tests;
  } catch (const TestListError&) { // it says without them
  }
  return std::nullopt;
}

} // namespace

std::string list_arguments_text(Framework framework) {
  std::string text;
  for (const std::string& argument : row_of(framework)->list) text += (text.empty() ? "" : " ") + argument;
  return text;
}

Tests list_tests(const TestListOptions& options) {
  if (!options.arguments.empty()) {
    if (Tests chosen = list_chosen(options)) return chosen;
    TestListOptions without = options;
    without.arguments.clear();
    return list_tests(without);
  }
  return list_all(options);
}

bool name_a_test(Framework framework, const std::vector<std::string>& arguments,
                 const std::vector<TestCase>& tests) {
  return framework == Framework::qt_test &&
         std::any_of(arguments.begin(), arguments.end(), [&](const std::string& argument) {
           return std::any_of(tests.begin(), tests.end(), [&](const TestCase& test) {
             return argument == test.name || argument.starts_with(test.name + ':');
           });
         });
}

std::vector<std::string> chosen_tests(const TestListOptions& options, const std::string& name) {
  std::vector<std::string> names;
  if (const Tests tests = ask(options, row_of(options.framework)->choose(name)); tests)
    for (const TestCase& test : *tests) names.push_back(test.name);
  return names;
}

std::vector<TestCase> select_tests(const std::vector<TestCase>& tests, std::string_view filter) {
  const auto named = [&](const TestCase& test) { return test.name == filter; };
  const bool exact = std::any_of(tests.begin(), tests.end(), named);
  std::vector<TestCase> selected;
  std::copy_if(tests.begin(), tests.end(), std::back_inserter(selected), [&](const TestCase& test) {
    return !test.disabled &&
           (filter.empty() || (exact ? named(test) : test_filter_matches(filter, test.name)));
  });
  return selected;
}

} // namespace reex
