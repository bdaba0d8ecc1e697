#include "impact/chain_text.h"

namespace reex {
namespace {

std::string place_of(const Cause& step, const std::string& file) {
  const std::string line = std::to_string(step.line);
  return (step.old ? "old " : "") + (step.file == file ? "line " + line : step.file + ":" + line);
}

// `known`: the place is the one that the text before it gave.
std::string text_of(const Cause& step, const std::string& place, bool known) {
  const auto named = [&](const std::string& words) {
    return step.name.empty() ? words : words + " " + step.name;
  };
  if (step.reason == "changed") return known ? "changed" : place + " changed";
  if (step.reason == "removed") return known ? "removed" : place + " removed";
  if (step.reason == "moved") return named("moved from") + ", " + place;
  if (step.reason == "deleted here") return "deleted here: " + place;
  if (step.reason == "deleted access") return "accessed on " + place + ", removed";
  if (step.reason == "lock region")
    return (step.name.empty() ? "in a lock region" : "in the lock region of " + step.name) + " from " + place;
  if (step.reason == "same statement") return "in one statement with " + place;
  if (step.reason == "accessed") return "accessed on " + place;
  if (step.reason == "called") return named("by") + ", called on " + place;
  if (step.reason == "follows") return "follows from " + place;
  if (step.reason == "declared") return "declared on " + place;
  if (step.reason == "uses a changed macro") return named("uses macro") + " of " + place;
  if (step.reason == "uses a changed declaration") return named("uses") + ", declared on " + place;
  if (step.reason == "has another type") return named("has another type than before:");
  if (step.reason == "uses another declaration") return named("means another") + " than " + place;
  return named("used") + ", removed with " + place;
}

} // namespace

std::vector<std::string> chain_texts(const Chain& chain, const std::string& file, unsigned line) {
  std::vector<std::string> texts;
  const Cause own{"", "", file, line, false};
  const Cause* before = &own;
  for (const Cause& step : chain) {
    const bool known = step.file == before->file && step.line == before->line && step.old == before->old;
    texts.push_back(text_of(step, place_of(step, file), known));
    before = &step;
  }
  return texts;
}

} // namespace reex
