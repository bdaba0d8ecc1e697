#include "reex/explorer/profile.h"

#include <algorithm>
#include <filesystem>
#include <sys/stat.h>

#include "reex/records/config.h"
#include "reex/records/profile.h"
#include "reex/records/self_check.h"
#include "reex/run/sha256.h"

namespace reex {
namespace {

// No process has such a memory. The parts are far from each other.
constexpr MemoryLayout k_layout_of_files = {
    .program = std::uint64_t{1} << 44, .mapped = std::uint64_t{1} << 46, .stack = std::uint64_t{3} << 45};

void give_counts(EventCounts& counts, const std::vector<std::uint64_t>& from) {
  std::copy(from.begin(), from.end(), counts.sum);
}

} // namespace

void give_profile(ControlBlock& control, const LearnedProfile& profile) {
  SamplingState& sampling = control.own.sampling;
  Profile& to = sampling.profile;
  to.executions = profile.executions;
  to.threads = static_cast<std::uint32_t>(profile.parents.size());
  std::copy(profile.parents.begin(), profile.parents.end(), to.parent);
  give_counts(to.all, profile.all);
  give_counts(to.impacted, profile.impacted);
  to.objects = static_cast<std::uint32_t>(profile.objects.size());
  for (std::size_t i = 0; i < profile.objects.size(); ++i) {
    const LearnedObject& from = profile.objects[i];
    ProfiledObject& object = to.object[i];
    object.object = start_of(from.part, k_layout_of_files) + static_cast<std::uint64_t>(from.offset);
    object.total = from.total;
    object.first_thread = from.first_thread;
    object.several_threads = from.several_threads;
    object.written = from.written;
    give_counts(object.counts, from.counts);
  }
  to.layout = k_layout_of_files;
  sampling.pct.longest = profile.longest;
  sampling.taught_round = 1;
  control.search.taught = true;
}

std::shared_ptr<LearnedProfile> take_profile(const ControlBlock& control) {
  const ProfileCopy counted = read_profile(control.own.sampling);
  if (counted.executions == 0 && counted.longest == 0) return nullptr;
  LearnedProfile profile;
  profile.executions = std::max<std::uint64_t>(counted.executions, 1); // pct counts none
  profile.parents = counted.parents;
  profile.all = counted.all;
  profile.impacted = counted.impacted;
  profile.longest = counted.longest;
  for (const ProfiledObjectCopy& object : counted.objects) {
    const MemoryPart part = part_of(object.object, counted.layout);
    profile.objects.push_back(
        {.part = part,
         .offset = static_cast<std::int64_t>(object.object - start_of(part, counted.layout)),
         .total = object.total,
         .first_thread = object.first_thread,
         .several_threads = object.several_threads,
         .written = object.written,
         .counts = object.counts});
  }
  const RunConfig config = read_config(control.config);
  // By patience.cpp of the worker: the number of the round is above it.
  constexpr std::uint32_t k_slices = (1u << 20) - 1;
  const std::uint32_t patience = control.status.patience.load() & k_slices;
  if (config.learns_patience && patience != 0) profile.patience = patience - 1;
  // By step_limit.cpp.
  constexpr std::uint64_t k_times_the_first = 10;
  if (config.first_max_steps != 0)
    profile.max_steps = std::max(
        config.max_steps, std::min(read_length(control.check) * k_times_the_first, config.first_max_steps));
  return std::make_shared<LearnedProfile>(std::move(profile));
}

std::string digest_of_libraries(const std::vector<MappedModule>& modules, const std::string& binary) {
  struct stat own = {};
  stat(binary.c_str(), &own);
  std::string text;
  std::uint64_t before = 0;
  for (const MappedModule& module : modules) {
    struct stat file = {};
    stat(module.path.c_str(), &file);
    if (file.st_dev == own.st_dev && file.st_ino == own.st_ino) continue;
    if (before == 0) before = module.start;
    text += std::filesystem::path(module.path).filename().string();
    for (const std::uint64_t number : {module.start - before, module.end - module.start, module.file_offset,
                                       static_cast<std::uint64_t>(file.st_size)})
      text += ' ' + std::to_string(number);
    text += '\n';
    before = module.start;
  }
  return sha256_hex(text);
}

} // namespace reex
