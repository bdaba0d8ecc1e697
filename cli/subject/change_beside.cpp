#include "cli/subject/change_beside.h"

#include <fmt/format.h>

#include <cstdint>
#include <cstring>
#include <string_view>

namespace reex {
namespace {

void put_text(std::string& bytes, const std::string& text) {
  const std::uint64_t size = text.size();
  bytes.append(reinterpret_cast<const char*>(&size), sizeof size);
  bytes += text;
}

// Takes the next text from the bytes. False: there is none.
bool take_text(std::string_view& bytes, std::string& text) {
  std::uint64_t size = 0;
  if (bytes.size() < sizeof size) return false;
  std::memcpy(&size, bytes.data(), sizeof size);
  bytes.remove_prefix(sizeof size);
  if (bytes.size() < size) return false;
  text = bytes.substr(0, size);
  bytes.remove_prefix(size);
  return true;
}

std::string analysed(ImpactRequest request) {
  HandedFacts facts;
  request.parses = true;
  request.handed = &facts;
  collect_impact(request);
  std::string bytes;
  for (const auto& [unit, text] : facts) {
    put_text(bytes, unit);
    put_text(bytes, text);
  }
  return bytes;
}

HandedFacts facts_in(std::string_view bytes) {
  HandedFacts facts;
  std::string unit;
  for (std::string text; take_text(bytes, unit) && take_text(bytes, text);) facts[unit] = std::move(text);
  return facts;
}

} // namespace

ChangeBeside::ChangeBeside(ImpactRequest request)
    : m_request(std::move(request)), m_process([this] { return analysed(m_request); }) {}

Impact ChangeBeside::impact() {
  const ForkedWork::Result result = m_process.result();
  HandedFacts facts = facts_in(result.bytes);
  ImpactRequest request = m_request;
  request.parses = false;
  request.handed = &facts;
  Impact impact = collect_impact(request);
  if (result.problem.starts_with("signal"))
    impact.notes.push_back(fmt::format(
        "the analysis of the change ended with {}: where it is missing, only the changed lines are known",
        result.problem));
  else if (impact.units_left_out != 0)
    impact.notes.emplace_back("the analysis of the change ended early: where it is missing, only the changed "
                              "lines are known");
  return impact;
}

} // namespace reex
