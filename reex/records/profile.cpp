#include "reex/records/profile.h"

#include "reex/records/checked.h"

namespace reex {
namespace {

constexpr Checked k_checked("profile");

ProfiledObjectCopy read_object(const ProfiledObject& shared, std::uint32_t threads) {
  return {.object = fetch(shared.object),
          .total = fetch(shared.total),
          .first_thread = k_checked.at_most(fetch(shared.first_thread), k_sampled_threads, "a thread"),
          .several_threads = k_checked.flag(shared.several_threads, "the mark of several threads"),
          .written = k_checked.flag(shared.written, "the mark of writes"),
          .counts = fetch_all(shared.counts.sum, threads)};
}

} // namespace

ProfileCopy read_profile(const SamplingState& shared) {
  const Profile& from = shared.profile;
  const std::uint32_t threads =
      k_checked.at_most(fetch(from.threads), k_sampled_threads, "the number of threads");
  const std::uint32_t objects =
      k_checked.at_most(fetch(from.objects), k_profiled_objects, "the number of objects");
  ProfileCopy copy{
      .layout = fetch(from.layout),
      .executions = k_checked.at_most(fetch(from.executions), k_most_executions, "the number of executions"),
      .parents = fetch_all(from.parent, threads),
      .all = fetch_all(from.all.sum, threads),
      .impacted = fetch_all(from.impacted.sum, threads),
      .objects = {},
      .longest = fetch(shared.pct.longest)};
  for (const std::uint16_t parent : copy.parents)
    k_checked.at_most(parent, k_sampled_threads - 1, "a thread");
  for (std::uint32_t i = 0; i < objects; ++i) copy.objects.push_back(read_object(from.object[i], threads));
  return copy;
}

} // namespace reex
