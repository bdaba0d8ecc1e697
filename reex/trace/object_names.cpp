#include "reex/trace/object_names.h"

#include <string_view>

#include "reex/shared/hidden_objects.h"
#include "reex/symbols/function_name.h"

namespace reex {
namespace {

constexpr std::size_t k_longest = 32; // of a name with the scopes that it is in

// A name as it stands in a row of a trace: without the scopes, if they are long or have no name.
std::string short_name(std::string name) {
  constexpr std::string_view k_unnamed = "(anonymous namespace)::";
  for (std::size_t at = name.find(k_unnamed); at != std::string::npos; at = name.find(k_unnamed))
    name.erase(at, k_unnamed.size());
  if (name.size() <= k_longest) return name;
  const std::size_t scope = name.rfind("::");
  return scope == std::string::npos ? name : name.substr(scope + 2);
}

std::string hidden_name(std::uint64_t object) {
  const auto of_thread = [object](std::uint64_t first, std::string what) {
    const std::uint64_t thread = (object - first) / k_hidden_step;
    return "the " + what + " of " +
           (thread + 1 < k_named_threads ? "thread " + std::to_string(thread) : "a late thread");
  };
  if (object >= k_first_thread_name && object < k_last_thread_name)
    return of_thread(k_first_thread_name, "name");
  if (object >= k_first_thread_scheduling && object < k_last_thread_scheduling)
    return of_thread(k_first_thread_scheduling, "scheduling");
  if (object >= k_first_hidden && object < hidden_object(Hidden::count))
    return k_hidden_objects[(object - k_first_hidden) / k_hidden_step];
  return "";
}

} // namespace

void ObjectNames::begin() {
  m_names.clear();
  m_counts.clear();
}

const ObjectNames::Name& ObjectNames::known(const std::string& kind, std::uint64_t object) {
  const auto [found, added] = m_names.try_emplace(object);
  if (!added) return found->second;
  std::string variable = short_name(m_resolver.variable(object));
  if (variable.empty() || is_reserved(variable)) // such as a stream of libc
    return found->second = {kind, kind + "#" + std::to_string(++m_counts[kind + "#"]), false};
  if (const unsigned count = ++m_counts[variable]; count > 1) variable += "#" + std::to_string(count);
  return found->second = {kind, variable, true};
}

std::string ObjectNames::name(Operation operation, std::uint64_t object) {
  const std::string kind = info(operation).object;
  if (object == 0 || kind.empty() || operation == Operation::imunit_event ||
      operation == Operation::imunit_scope)
    return "";
  if (std::string hidden = hidden_name(object); !hidden.empty()) return hidden;
  if (object < k_plain_numbers) return kind + " " + std::to_string(object - 1);
  return known(kind, object).name;
}

std::string ObjectNames::text(Operation operation, std::uint64_t object) {
  const std::string result = name(operation, object);
  const auto found = m_names.find(object);
  return found != m_names.end() && found->second.is_variable ? found->second.kind + " " + result : result;
}

} // namespace reex
