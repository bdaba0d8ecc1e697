#include "cli/promote/promotion_judge.h"

#include <algorithm>

#include <fmt/format.h>

#include "reex/explorer/explore.h"
#include "reex/frameworks/table.h"
#include "reex/process/captured_process.h"
#include "reex/process/environment.h"

namespace reex {
namespace {

constexpr std::uint64_t k_most_schedules = 2000;
constexpr std::chrono::seconds k_longest{60};
constexpr std::chrono::seconds k_longest_native{20};

// The recorded ones, without those that choose the recorded case.
std::vector<std::string> arguments_of(const PromotionSetup& setup) {
  const std::vector<std::string> chosen = arguments_of_case(setup.file.framework, setup.file.test_name, {});
  std::vector<std::string> arguments = setup.file.arguments;
  std::erase_if(arguments, [&](const std::string& word) {
    return std::find(chosen.begin(), chosen.end(), word) != chosen.end();
  });
  return arguments;
}

} // namespace

Judgement judge(const PromotionSetup& setup, const std::function<bool(const Failure&)>& is_same) {
  ExploreOptions options;
  options.binary = setup.binary;
  options.arguments = arguments_of(setup);
  options.test_name = setup.test_name;
  options.framework = setup.file.framework;
  options.bound = setup.bound;
  options.max_schedules = k_most_schedules;
  options.deadline = std::chrono::steady_clock::now() + k_longest;
  options.max_steps = setup.file.max_steps;
  options.slice = setup.file.slice;
  options.patience = setup.file.patience;
  options.keep_going = 0;
  options.accesses = setup.file.accesses;
  options.races = Races::report;
  options.promoted = setup.promoted;
  options.timeouts = setup.file.timeouts;
  options.sleeps_any = setup.file.sleeps_any;
  options.spurious = setup.file.spurious;
  options.reuse = setup.file.reuse;
  options.code_is_entered = setup.file.code_is_entered;
  options.runtime = setup.runtime;
  Observer silent;
  const TestRun run = explore(options, silent);

  Judgement judgement;
  judgement.executions = run.schedules;
  judgement.stuck = run.imunit ? run.imunit->stuck : 0;
  judgement.covered = run.exhausted || (run.bound_completed && *run.bound_completed >= setup.bound);
  bool first = false;
  for (const Failure& failure : run.failures) {
    if (is_same(failure)) {
      judgement.fail += failure.count;
      first = first || failure.schedule == 1;
    } else if (judgement.other.empty()) {
      judgement.other = failure.kind + ": " + failure.message.substr(0, failure.message.find('\n'));
    }
  }
  if (judgement.other.empty() && run.error) judgement.other = run.error.text;
  if (judgement.other.empty() && run.schedules == 0) judgement.other = "not come to an end in a minute";
  if (!first) return judgement;
  const bool all = judgement.fail == run.schedules && run.inconclusive.executions() == 0;
  judgement.quality = !all || !judgement.covered ? promotion::Quality::first
                      : judgement.stuck != 0     ? promotion::Quality::forced
                                                 : promotion::Quality::robust;
  return judgement;
}

unsigned native_failures(const PromotionSetup& setup, unsigned count) {
  std::vector<std::string> command{setup.binary};
  for (std::string& word : arguments_of_case(setup.file.framework, setup.test_name, arguments_of(setup)))
    command.push_back(std::move(word));
  unsigned failed = 0;
  for (unsigned i = 0; i < count; ++i) {
    const CapturedProcess ran = run_captured(command, environment_of_test(), k_longest_native);
    failed += ran.end != CapturedProcess::End::exited || ran.code != 0;
  }
  return failed;
}

} // namespace reex
