#include "reex/run/schedule_json.h"

#include <charconv>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include "reex/run/result_json.h"

namespace reex {
namespace {

// Numbers one after the other, with a blank behind each.
class NumberWriter {
public:
  void put(std::int64_t number) {
    char digits[24];
    const std::to_chars_result end = std::to_chars(std::begin(digits), std::end(digits), number);
    m_text.append(digits, end.ptr).push_back(' ');
  }
  const std::string& text() const { return m_text; }

private:
  std::string m_text;
};

class NumberReader {
public:
  explicit NumberReader(std::string_view text) : m_text(text) {}

  bool at_end() const { return m_text.empty(); }

  template <typename T>
  T get() {
    T number{};
    const std::from_chars_result end = std::from_chars(m_text.data(), m_text.data() + m_text.size(), number);
    const auto length = static_cast<std::size_t>(end.ptr - m_text.data());
    if (end.ec != std::errc() || length == m_text.size())
      throw std::invalid_argument("a schedule has no number where one should be");
    m_text.remove_prefix(length + 1);
    return number;
  }

private:
  std::string_view m_text;
};

// Different values in order of first use. `Key` tells them apart.
template <typename Value, typename Key = Value>
class Table {
public:
  std::int64_t index_of(const Value& value, const Key& key) {
    const auto [entry, is_new] = m_index.emplace(key, m_values.size());
    if (is_new) m_values.push_back(value);
    return static_cast<std::int64_t>(entry->second);
  }
  std::int64_t index_of(const Value& value) { return index_of(value, value); }
  const std::vector<Value>& values() const { return m_values; }

private:
  std::map<Key, std::size_t> m_index;
  std::vector<Value> m_values;
};

template <typename Value>
const Value& value_of(const std::vector<Value>& table, std::size_t index) {
  if (index >= table.size()) throw std::invalid_argument("a schedule names what its tables do not have");
  return table[index];
}

std::string key_of(const std::vector<Frame>& stack) {
  return nlohmann::json(stack).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

nlohmann::json decisions_json(const std::vector<Decision>& decisions) {
  Table<std::string> kinds;
  NumberWriter numbers;
  std::uint32_t point = 0;
  std::uint32_t step = 0;
  for (const Decision& decision : decisions) {
    numbers.put(decision.point - point);
    numbers.put(decision.step - step);
    numbers.put(decision.thread);
    numbers.put(kinds.index_of(decision.kind));
    numbers.put(decision.left);
    numbers.put(decision.done);
    point = decision.point;
    step = decision.step;
  }
  return {{"kinds", kinds.values()}, {"numbers", numbers.text()}};
}

std::vector<Decision> read_decisions(const nlohmann::json& value) {
  const auto kinds = value.at("kinds").get<std::vector<std::string>>();
  std::vector<Decision> decisions;
  std::uint32_t point = 0;
  std::uint32_t step = 0;
  for (NumberReader numbers(value.at("numbers").get_ref<const std::string&>()); !numbers.at_end();) {
    Decision decision;
    decision.point = point += numbers.get<std::uint32_t>();
    decision.step = step += numbers.get<std::uint32_t>();
    decision.thread = numbers.get<int>();
    decision.kind = value_of(kinds, numbers.get<std::size_t>());
    decision.left = numbers.get<int>();
    decision.done = numbers.get<std::uint32_t>();
    decisions.push_back(std::move(decision));
  }
  return decisions;
}

nlohmann::json trace_json(const std::vector<TraceStep>& trace) {
  Table<std::string> texts;
  Table<std::vector<Frame>, std::string> stacks;
  NumberWriter numbers;
  for (const TraceStep& step : trace) {
    numbers.put(step.step);
    numbers.put(step.thread);
    numbers.put(texts.index_of(step.operation));
    numbers.put(texts.index_of(step.object));
    numbers.put(step.stack.empty() ? -1 : stacks.index_of(step.stack, key_of(step.stack)));
    numbers.put(static_cast<int>(step.reason));
    numbers.put(step.from_thread);
    numbers.put(step.enabled);
    numbers.put(step.woken);
    numbers.put(texts.index_of(step.held_for));
    numbers.put(static_cast<std::int64_t>(step.time));
  }
  return {{"texts", texts.values()}, {"stacks", stacks.values()}, {"numbers", numbers.text()}};
}

std::vector<TraceStep> read_trace(const nlohmann::json& value) {
  const auto texts = value.at("texts").get<std::vector<std::string>>();
  const auto stacks = value.at("stacks").get<std::vector<std::vector<Frame>>>();
  std::vector<TraceStep> trace;
  for (NumberReader numbers(value.at("numbers").get_ref<const std::string&>()); !numbers.at_end();) {
    TraceStep step;
    step.step = numbers.get<unsigned>();
    step.thread = numbers.get<int>();
    step.operation = value_of(texts, numbers.get<std::size_t>());
    step.object = value_of(texts, numbers.get<std::size_t>());
    if (const auto stack = numbers.get<std::int64_t>(); stack >= 0)
      step.stack = value_of(stacks, static_cast<std::size_t>(stack));
    step.reason = static_cast<SwitchReason>(numbers.get<std::uint8_t>());
    step.from_thread = numbers.get<int>();
    step.enabled = numbers.get<int>();
    step.woken = numbers.get<int>();
    step.held_for = value_of(texts, numbers.get<std::size_t>());
    step.time = numbers.get<std::uint64_t>();
    trace.push_back(std::move(step));
  }
  return trace;
}

} // namespace

void to_json(nlohmann::json& value, const Schedule& how) {
  value = {{"decisions", decisions_json(how.decisions)},
           {"trace", trace_json(how.trace)},
           {"length", how.length},
           {"preemptions", how.preemptions},
           {"times_passed", how.times_passed},
           {"patience", how.patience},
           {"limit", how.limit}};
}

void from_json(const nlohmann::json& value, Schedule& how) {
  how.decisions = read_decisions(value.at("decisions"));
  how.trace = read_trace(value.at("trace"));
  value.at("length").get_to(how.length);
  value.at("preemptions").get_to(how.preemptions);
  value.at("times_passed").get_to(how.times_passed);
  value.at("patience").get_to(how.patience);
  how.limit = value.value("limit", std::uint64_t{0});
}

} // namespace reex
