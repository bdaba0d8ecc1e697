#include "cli/verdict/judge_findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "cli/subject/binary.h"
#include "heuristics/match_bits.h"
#include "reex/records/damaged_memory.h"
#include "reex/replay/base_proof.h"
#include "reex/run/finding_kinds.h"
#include "reex/schedules/schedule_file.h"

namespace reex {
namespace {

bool is_on_line(const ThreadPosition& position, const FrameBits& frame_bits) {
  return std::any_of(position.stack.begin(), position.stack.end(),
                     [&](const Frame& frame) { return (frame_bits(frame) & k_match_line) != 0; });
}

// Whether one side is on a line that follows from the change, or was called there.
bool follows_change(const Finding& finding, const FindingPolicy& policy) {
  return policy.follows &&
         std::any_of(finding.where.begin(), finding.where.end(), [&](const ThreadPosition& side) {
           return std::any_of(side.stack.begin(), side.stack.end(), policy.follows);
         });
}

// An operation of the change that would have ordered the two sides (near_miss.h); null if there is none.
const ThreadPosition* weak_in_change(const Finding& finding, const FrameBits& frame_bits) {
  if (!frame_bits) return nullptr;
  const auto found = std::find_if(finding.near_misses.begin(), finding.near_misses.end(),
                                  [&](const ThreadPosition& one) { return is_on_line(one, frame_bits); });
  return found == finding.near_misses.end() ? nullptr : &*found;
}

// An operation that the change may have kept from being executed, and that would have ordered the two sides.
const ThreadPosition* left_out_by_change(const Finding& finding, const FindingPolicy& policy) {
  const auto found =
      std::find_if(finding.left_out.begin(), finding.left_out.end(), [&](const ThreadPosition& one) {
        const Frame* const user = user_frame(one.stack);
        return user != nullptr && ((policy.frame_bits && (policy.frame_bits(*user) & k_match_line) != 0) ||
                                   (policy.follows && policy.follows(*user)));
      });
  return found == finding.left_out.end() ? nullptr : &*found;
}

// Whether one side lies on a code point of the change: a line of its stack is impacted, or it accesses an
// impacted field. The heuristic is left out of it: it is about the order of exploration, not about blame.
bool is_access_of_change(const Finding& finding, const FrameBits& frame_bits) {
  if (!frame_bits) return false;
  return std::any_of(finding.where.begin(), finding.where.end(), [&](const ThreadPosition& side) {
    const Frame* access = user_frame(side.stack);
    return (access != nullptr && (frame_bits(*access) & k_match_field) != 0) || is_on_line(side, frame_bits);
  });
}

bool base_has_shown(const Finding& finding, const FindingPolicy& policy) {
  return policy.base_has_shown && policy.base_has_shown(finding);
}

bool is_of_the_change(const Finding& finding, const FindingPolicy& policy) {
  return (is_access_of_change(finding, policy.frame_bits) || follows_change(finding, policy) ||
          weak_in_change(finding, policy.frame_bits) != nullptr ||
          left_out_by_change(finding, policy) != nullptr) &&
         !base_has_shown(finding, policy);
}

Failure as_failure(const Finding& finding, const FindingPolicy& policy) {
  Failure failure;
  failure.key = finding.key;
  failure.kind = row_of_finding(finding.kind)->failure;
  failure.message = finding.message;
  failure.schedule = finding.schedule;
  failure.schedule_in_round = finding.schedule_in_round;
  failure.count = 1;
  failure.order = finding.order;
  if (finding.how != nullptr) failure.how = *finding.how;
  failure.replay = finding.replay;
  failure.where = finding.where;
  if (const ThreadPosition* weak = weak_in_change(finding, policy.frame_bits); weak != nullptr) {
    failure.where.push_back(*weak);
    failure.where.back().state += " of the change, which does not order the two";
  } else if (const ThreadPosition* write = left_out_by_change(finding, policy); write != nullptr) {
    failure.where.push_back(*write);
    failure.where.back().state += ", perhaps left out by the change, would order the two";
  }
  return failure;
}

// What the base's build does under the schedule that shows the finding; nullopt without a build.
std::optional<BaseProof> proof_on_base(const Finding& finding, const FindingPolicy& policy, TestRun& run) {
  if (policy.base_binary.empty() || finding.replay.empty()) return {};
  try {
    return prove_on_base(read_schedule_file(finding.replay), policy.base_binary,
                         require_runtime(require_binary(policy.base_binary)));
  } catch (const DamagedMemory& damage) {
    run.notes.push_back(
        fmt::format("{} {} was not compared with the base: {}", finding.kind, finding.key, damage.what()));
  }
  return {};
}

// Why the race may be of the change although nothing tells so, and what helps; the first is "" if it is
// known.
std::pair<std::string, std::string> doubt_about(const Finding& finding, const FindingPolicy& policy) {
  if (!policy.unjudged.empty()) return {policy.unjudged, policy.remedy};
  for (const ThreadPosition& side : finding.where)
    for (const Frame& frame : side.stack)
      if (policy.unparsed.contains(frame.file))
        return {std::filesystem::path(frame.file).filename().string() +
                    " was not parsed with any unit of the test",
                "--races fail lets all races count"};
  return {};
}

void note_unjudged(TestRun& run, std::size_t races, const std::pair<std::string, std::string>& doubt) {
  run.gaps.push_back(
      {"races-unjudged",
       fmt::format("{} may be of the change: {}",
                   races == 1 ? "1 data race" : fmt::format("{} data races", races), doubt.first),
       doubt.second, GapEffect::verdict});
  run.exhausted = false;
  run.bound_completed.reset();
}

} // namespace

bool may_fail(const Finding& finding, const FindingPolicy& policy) {
  if (policy.strict) return true;
  if (finding.kind != "data-race" || !finding.reason.empty()) return false;
  if (policy.races == Races::fail) return true;
  return policy.races == Races::changed && (!policy.base_binary.empty() || is_of_the_change(finding, policy));
}

void judge_findings(TestRun& run, const FindingPolicy& policy) {
  std::vector<Finding> others;
  std::size_t unjudged = 0;
  std::pair<std::string, std::string> doubt;
  for (Finding& finding : run.findings) {
    const bool by_change = !policy.strict && policy.races == Races::changed;
    if (may_fail(finding, policy)) {
      Failure failure = as_failure(finding, policy);
      failure.base = proof_on_base(finding, policy, run);
      const bool old = failure.base && failure.base->verdict == BaseProof::Verdict::fails;
      if (!by_change || !old || is_of_the_change(finding, policy)) {
        run.failures.push_back(std::move(failure));
        continue;
      }
      finding.reason = "the base shows it, too";
    } else if (by_change && finding.kind == "data-race" && finding.reason.empty() &&
               base_has_shown(finding, policy)) {
      finding.reason = "an earlier run of the base showed it, too";
    } else if (by_change && finding.kind == "data-race" && finding.reason.empty()) {
      const auto why = doubt_about(finding, policy);
      finding.reason = why.first.empty()
                           ? "neither an access nor an operation that could order them is of the change"
                           : "whether it is of the change is not known: " + why.first;
      if (!why.first.empty() && unjudged++ == 0) doubt = why;
    }
    std::error_code ignored;
    if (!finding.replay.empty()) std::filesystem::remove(finding.replay, ignored);
    finding.replay.clear();
    others.push_back(std::move(finding));
  }
  run.findings = std::move(others);
  if (unjudged != 0) note_unjudged(run, unjudged, doubt);
}

} // namespace reex
