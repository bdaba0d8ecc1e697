#include "cli/receipts/receipt_keeper.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <system_error>

#include <nlohmann/json.hpp>

#include "cli/options/project_file.h"
#include "cli/options/shard.h"
#include "cli/receipts/receipt_identity.h"
#include "cli/run/run_plan.h"
#include "git/history.h"
#include "git/repository.h"
#include "reex/run/verdict.h"

namespace reex {
namespace {

namespace fs = std::filesystem;

// The tree of the checked-out commit; "" if a file on the disk differs from it.
std::string tree_on_disk(const History& history, Repository& repository) {
  const auto commit = history.checked_out();
  if (!commit || !repository.diff_working_tree(*commit).empty()) return "";
  return history.tree_of(*commit);
}

// The bound within which all tests have passed; nullopt if one of them did not.
struct Reached {
  bool passed = true;
  std::optional<unsigned> bound; // nullopt: every schedule
};

Reached reached_by(const std::vector<TestRun>& runs) {
  Reached reached{!runs.empty(), std::nullopt};
  for (const TestRun& run : runs) {
    if (verdict_of(run) != Verdict::passed || (run.imunit && run.imunit->checks) ||
        run.inconclusive.executions() != 0 || (!run.exhausted && !run.bound_completed)) {
      reached.passed = false;
    } else if (!run.exhausted) {
      reached.bound = std::min(reached.bound.value_or(*run.bound_completed), *run.bound_completed);
    }
  }
  return reached;
}

// The second of two is that of a run without the change.
std::vector<ReceiptIdentity> identities_of(const ReceiptSubject& subject, const Options& options) {
  const auto repository = open_repository(subject.folder);
  const std::unique_ptr<History> opened = open_history(repository->root());
  const History& history = *opened;
  Tested tested{.binary = subject.binary,
                .arguments = subject.arguments,
                .filter = options.filter,
                .folder = fs::current_path().string(),
                .tree = subject.tree ? *subject.tree : tree_on_disk(history, *repository),
                .base = std::nullopt,
                .project_file = (fs::path(repository->root()) / k_project_file).string(),
                .runtime = subject.runtime,
                .environment = subject.environment};
  if (tested.tree.empty()) return {};
  Options without = options;
  without.change = {};
  std::vector<ReceiptIdentity> identities = {receipt_identity(tested, without, races_policy(without))};
  if (options.change.given()) {
    tested.base = history.tree_of(repository->resolve(subject.base.empty() ? "HEAD" : subject.base));
    identities.insert(identities.begin(), receipt_identity(tested, options, races_policy(options)));
  }
  return identities;
}

// The same; none if the repository does not say.
std::vector<ReceiptIdentity> known_identities(const ReceiptSubject& subject, const Options& options) {
  try {
    return identities_of(subject, options);
  } catch (const RepositoryError&) {
  } catch (const fs::filesystem_error&) {
  }
  return {};
}

std::string bytes_of(const std::vector<ReceiptIdentity>& identities) {
  std::string bytes;
  nlohmann::json::to_cbor(identities, bytes);
  return bytes;
}

} // namespace

ReceiptKeeper::ReceiptKeeper(const ReceiptSubject& subject, const Options& options)
    : m_folder((fs::path(subject.folder) / ".reex" / "receipts").string()), m_tested{"", subject.binary,
                                                                                     subject.arguments},
      m_by(subject.by), m_begun(fs::file_time_type::clock::now()) {
  if (!leaves_receipts(options) || gtest_shard()) return;
  if (root_of_repository(subject.folder).empty()) return; // there is no hook either
  if (subject.tree) {
    m_identities = known_identities(subject, options);
    return;
  }
  try {
    m_beside = std::make_unique<ForkedWork>([&] { return bytes_of(known_identities(subject, options)); });
  } catch (const std::system_error&) { // no receipt is better than no run
  }
}

const std::vector<ReceiptIdentity>& ReceiptKeeper::identities() {
  if (m_beside == nullptr) return m_identities;
  const ForkedWork::Result result = m_beside->result();
  m_beside.reset();
  if (result.problem.empty()) nlohmann::json::from_cbor(result.bytes).get_to(m_identities);
  return m_identities;
}

std::optional<Receipt> ReceiptKeeper::find(std::optional<unsigned> bound) {
  for (const ReceiptIdentity& identity : identities())
    if (auto receipt = find_receipt(m_folder, identity, bound)) return receipt;
  return std::nullopt;
}

void ReceiptKeeper::keep_races_of(const std::vector<TestRun>& runs) {
  const std::vector<KnownRace> races = races_of(runs);
  if (races.empty() || identities().empty()) return;
  for (const auto& [name, value] : identities().front())
    if (name == k_tree_of_receipt) m_tested.tree = value;
  keep_races((fs::path(m_folder).parent_path() / k_races_folder).string(), m_tested, races);
}

std::string ReceiptKeeper::keep(const std::vector<TestRun>& runs, ExitStatus status) {
  keep_races_of(runs);
  if (status != ExitStatus::failed && status != ExitStatus::passed) return "";
  if (status == ExitStatus::failed) {
    for (const ReceiptIdentity& identity : identities()) withdraw_receipt(m_folder, identity);
    return "";
  }
  const Reached reached = reached_by(runs);
  if (!reached.passed || identities().empty()) return "";
  Receipt receipt;
  receipt.identity = identities().front();
  receipt.bound = reached.bound;
  receipt.by = m_by;
  receipt.time = static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch())
          .count());
  receipt.tests = runs.size();
  std::set<std::string> files;
  for (const TestRun& run : runs) {
    receipt.schedules += run.schedules;
    files.insert(run.modules.begin(), run.modules.end());
  }
  for (const std::string& path : files) {
    std::error_code error;
    const fs::file_time_type written = fs::last_write_time(path, error);
    if (error) continue; // [vdso], or memory that looks like a file
    if (written >= m_begun) return "";
    receipt.files.emplace_back(path, version_of_file(path));
  }
  const std::string problem = write_receipt(m_folder, receipt);
  return problem.empty()
             ? ""
             : fmt::format("no receipt for the pre-push hook was written to {}: {}", m_folder, problem);
}

} // namespace reex
