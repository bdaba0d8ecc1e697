#include "cli/receipts/receipt_identity.h"

#include <algorithm>
#include <cstdlib>

#include "reex/run/sha256.h"
#include "reex/run/version.h"

namespace reex {
namespace {

template <typename T>
std::string number(T value) {
  return std::to_string(static_cast<unsigned long long>(value));
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

} // namespace

bool leaves_receipts(const Options& options) {
  return !options.shard && !options.by_option.contains("output") && !options.change.head &&
         options.change.diff.empty() && !options.change.staged && options.promote_from.empty() &&
         options.profile.empty() && options.base_binary.empty();
}

ReceiptIdentity receipt_identity(const Tested& tested, const Options& options, Races races) {
  ReceiptIdentity identity = {{"version of reex", version()},
                              {"runtime", version_of_file(tested.runtime)},
                              {k_tree_of_receipt, tested.tree},
                              {"tree of the base", tested.base.value_or("none")},
                              {"binary", tested.binary},
                              {"contents of the binary", digest_of_file(tested.binary)},
                              {"folder", tested.folder},
                              {"filter", tested.filter},
                              {"project file", digest_of_file(tested.project_file)}};
  if (!options.suppressions.empty())
    identity.emplace_back("--suppressions", digest_of_file(options.suppressions));
  for (const std::string& argument : tested.arguments) identity.emplace_back("argument", argument);
  std::vector<std::string> environment = tested.environment;
  std::sort(environment.begin(), environment.end());
  for (const std::string& one : environment) identity.emplace_back("environment", one);
  // By these the loader may take other libraries.
  for (const char* name : {"LD_LIBRARY_PATH", "LD_PRELOAD"}) identity.emplace_back(name, variable(name));
  identity.emplace_back("--accesses", number(options.accesses));
  identity.emplace_back("--races", number(races));
  identity.emplace_back("--strict-findings", number(options.strict_findings));
  identity.emplace_back("--select", number(options.change.select && options.change.given()));
  identity.emplace_back("--iterations", number(options.iterations));
  identity.emplace_back("--reduction", number(options.reduction));
  identity.emplace_back("--audit", number(options.audit));
  identity.emplace_back("--timeouts", number(options.timeouts));
  identity.emplace_back("--sleeps", number(options.sleeps_any));
  identity.emplace_back("--slice", number(options.slice));
  identity.emplace_back("--patience", options.patience ? number(*options.patience) : "auto");
  identity.emplace_back("--spurious", number(options.spurious));
  identity.emplace_back("--reuse", number(options.reuse));
  return identity;
}

} // namespace reex
