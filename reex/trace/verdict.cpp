#include "reex/trace/verdict.h"

#include "reex/frameworks/table.h"
#include "reex/trace/difference.h"

#include <algorithm>
#include <cstdlib>
#include <cxxabi.h>
#include <filesystem>
#include <memory>
#include <set>
#include <string_view>

namespace reex {
namespace {

constexpr std::string_view k_type_prefix = "uncaught exception of type ";
constexpr unsigned k_key_frames = 4;
constexpr std::size_t k_function_digits = 8; // of a key; those behind them stand for the failed check

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

std::string demangled(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 ? text.get() : name;
}

// The text of the exception's what(), as terminate() printed it.
std::string what_of(const std::string& standard_error) {
  constexpr std::string_view k_what = "what():  ";
  const std::size_t at = standard_error.rfind(k_what);
  if (at == std::string::npos) return "";
  const std::size_t from = at + k_what.size();
  return standard_error.substr(from, standard_error.find('\n', from) - from);
}

// The first failed check as the framework prints it, with its place.
std::string check_message(const FrameworkRow& row, const std::string& standard_output) {
  const std::string text = failed_check_text(row.framework, standard_output);
  return text.empty() ? std::string("a ") + row.name + " check failed" : text;
}

std::string lines_of_threads(const std::vector<ThreadPosition>& where) {
  std::string text;
  for (const ThreadPosition& position : where)
    if (position.state != "finished")
      text += "\nthread " + std::to_string(position.thread) + " " + position.state +
              (position.holders.empty() ? "" : "; " + position.holders);
  return text;
}

std::string standstill_message(std::string_view kind, std::uint64_t limit,
                               const std::vector<ThreadPosition>& where) {
  std::string text =
      limit == 0 ? "no thread can run" : "threads wait for each other in a circle, and others go on";
  if (kind == "livelock")
    text = limit == 0 ? "the threads that can run only spin, and nothing can change"
                      : "each thread waits, for ever or for a time again and again, and nothing can change";
  return text + lines_of_threads(where);
}

// Qt Test gives each test function a time, which a thread of its own keeps: a deadlock of all others ends so.
std::string time_of_function_over(const std::string& standard_output,
                                  const std::vector<ThreadPosition>& where) {
  if (!contains(standard_output, "Test function timed out\n")) return "";
  return ": Qt Test's time for a test function was over" + lines_of_threads(where);
}

std::uint64_t hash_text(std::uint64_t hash, std::string_view text) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return (hash ^ 0xff) * 0x100000001b3;
}

std::string functions_of(const ThreadPosition& position) {
  std::string text;
  unsigned taken = 0;
  for (const Frame& frame : position.stack) {
    if (frame.system_header || frame.function.empty()) continue;
    text += frame.function + ";";
    if (++taken == k_key_frames) break;
  }
  return text;
}

// The check that failed, "file.cpp:12"; "" for other kinds of failure. An assertion and a test framework name
// it in the message. What else aborts does so in the line of a macro.
std::string failed_check(const Failure& failure) {
  std::string place;
  if (const Framework framework = framework_of_kind(failure.kind); framework != Framework::none)
    place = first_failed_check(framework, failure.message).place;
  else if (failure.kind == "assertion")
    place = failure.message;
  else if (failure.kind == "abort" && !failure.where.empty())
    place = place_text(failure.where.front().stack);
  if (failure.kind == "abort") place = place.substr(0, place.find(" (")); // without the function
  return place.substr(place.find_last_of(" /") + 1);
}

// Whether the framework has ended the test so. GoogleTest prints its verdict also where its checks are
// silent.
bool reports_failure(Framework framework, int status, const std::string& standard_output) {
  if (framework == Framework::googletest) return status == 1 && contains(standard_output, "[  FAILED  ]");
  return first_failed_check(framework, standard_output).mark != std::string::npos;
}

} // namespace

std::string failure_kind(End end, int value, Framework framework, const std::string& standard_output) {
  switch (end) {
  case End::deadlock:
    return "deadlock";
  case End::livelock:
    return "livelock";
  case End::assertion:
    return "assertion";
  case End::aborted:
    return "abort";
  case End::exception:
    return "exception";
  case End::signalled:
    return "signal";
  case End::use_after_free:
    return "use-after-free";
  case End::double_free:
    return "double-free";
  case End::invalid_free:
    return "invalid-free";
  case End::stack_use_after_return:
    return "stack-use-after-return";
  case End::use_after_destroy:
    return "use-after-destroy";
  case End::exited:
    if (value == 0) return "";
    return reports_failure(framework, value, standard_output) ? row_of(framework)->kind : "exit";
  default:
    return "";
  }
}

bool is_standstill(std::string_view kind) { return kind == "deadlock" || kind == "livelock"; }

std::string failure_message(const std::string& kind, const EndingCopy& ending, const CapturedOutput& output,
                            const std::vector<ThreadPosition>& where) {
  if (is_standstill(kind)) return standstill_message(kind, ending.limit, where);
  if (const FrameworkRow* row = row_of(framework_of_kind(kind)); row != nullptr)
    return check_message(*row, output.standard_output);
  if (kind == "exit") return "the test ended with exit status " + std::to_string(ending.value);
  std::string text = ending.message;
  if (kind == "abort") text += time_of_function_over(output.standard_output, where);
  if (text == "stack overflow") {
    text += " in thread " + std::to_string(ending.thread);
    if (!where.empty())
      if (const std::string place = place_text(where.front().stack); !place.empty()) text += " at " + place;
  }
  if (kind == "exception" && text.starts_with(k_type_prefix)) {
    text = std::string(k_type_prefix) + demangled(text.substr(k_type_prefix.size()));
    if (const std::string what = what_of(output.standard_error); !what.empty()) text += ": " + what;
  }
  return text;
}

namespace {

std::string key_text(std::uint64_t hash) {
  constexpr char k_digits[] = "0123456789abcdef";
  std::string key;
  for (int shift = 44; shift >= 0; shift -= 4) key += k_digits[hash >> shift & 15];
  return key;
}

} // namespace

// The key of a race does not depend on which access came first, or which threads made the accesses.
std::string finding_key(const Finding& finding, const std::string& object, const std::string& test_name) {
  std::multiset<std::string> sides;
  for (const ThreadPosition& side : finding.where) sides.insert(side.state + functions_of(side));
  std::uint64_t hash = hash_text(hash_text(0xcbf29ce484222325, finding.kind), test_name);
  hash = hash_text(hash, object);
  for (const std::string& side : sides) hash = hash_text(hash, side);
  return key_text(hash);
}

std::string stable_key(const Failure& failure, const std::string& binary, const std::string& test_name) {
  std::uint64_t hash = hash_text(hash_text(0xcbf29ce484222325, failure.kind), test_name);
  hash = hash_text(hash, std::filesystem::path(binary).filename().string());
  if (is_standstill(failure.kind)) { // all waiting threads, in any order
    std::multiset<std::string> waiting;
    for (const ThreadPosition& position : failure.where)
      if (position.state != "finished") waiting.insert(functions_of(position));
    for (const std::string& functions : waiting) hash = hash_text(hash, functions);
  } else if (!failure.where.empty()) {
    hash = hash_text(hash, functions_of(failure.where.front()));
  }
  const std::string functions = key_text(hash).substr(0, k_function_digits);
  return functions + key_text(hash_text(hash, failed_check(failure))).substr(k_function_digits);
}

bool same_functions(std::string_view key, std::string_view other) {
  return key.substr(0, k_function_digits) == other.substr(0, k_function_digits);
}

} // namespace reex
