#include "reex/explorer/resume.h"

#include <cstring>
#include <sys/stat.h>

#include "reex/explorer/identity.h"
#include "reex/records/checked.h"
#include "reex/records/config.h"
#include "reex/records/provenance.h"
#include "reex/records/recovery.h"
#include "reex/records/status.h"
#include "reex/run/sha256.h"

namespace reex {
namespace {

template <std::size_t N>
void write(char (&place)[N], const std::string& text) {
  std::strncpy(place, text.c_str(), N - 1);
}

bool is_of(const ProvenanceCopy& provenance, const std::string& binary) {
  return provenance.binary.empty() ? provenance.binary_file == state_of_file(binary)
                                   : provenance.binary == digest_of_file(binary);
}

// The first option in which the two differ; "" if there is none.
std::string difference(const RunConfig& a, const RunConfig& b) {
  const auto differ = [&](auto member) { return a.*member != b.*member; };
  const auto search_differs = [&](auto member) { return a.search.*member != b.search.*member; };
  if (differ(&RunConfig::accesses)) return "--accesses";
  if (differ(&RunConfig::races)) return "--races";
  if (differ(&RunConfig::timeouts)) return "--timeouts";
  if (differ(&RunConfig::sleeps_any)) return "--sleeps";
  if (differ(&RunConfig::spurious)) return "--spurious";
  if (differ(&RunConfig::reuse)) return "--reuse";
  if (differ(&RunConfig::collect_outcomes)) return "--outcomes";
  if (differ(&RunConfig::slice)) return "--slice";
  if (differ(&RunConfig::patience) || differ(&RunConfig::learns_patience)) return "--patience";
  if (differ(&RunConfig::max_steps) || differ(&RunConfig::first_max_steps)) return "--max-steps";
  if (differ(&RunConfig::memory_limit)) return "--memory-limit";
  if (search_differs(&SearchConfig::strategy)) return "--strategy";
  if (search_differs(&SearchConfig::reduction)) return "--reduction";
  if (search_differs(&SearchConfig::audit)) return "--audit";
  if (search_differs(&SearchConfig::prioritization)) return "--heuristic";
  if (search_differs(&SearchConfig::bound) || search_differs(&SearchConfig::deepens)) return "--bound";
  if (search_differs(&SearchConfig::iterations)) return "--iterations";
  if (search_differs(&SearchConfig::seed)) return "--seed";
  if (search_differs(&SearchConfig::shard) || search_differs(&SearchConfig::shards)) return "--shard";
  if (search_differs(&SearchConfig::depth)) return "--depth";
  if (search_differs(&SearchConfig::interesting)) return "--interesting";
  return "";
}

// Under the default strategy, a run may have begun before its change was analysed. It goes on as it began.
RunConfig with_order_of(const RunConfig& interrupted, RunConfig config) {
  const bool unordered =
      config.search.strategy == SearchStrategy::automatic && interrupted.search.prioritization.is_basic();
  if (!unordered) return config;
  config.search.prioritization = interrupted.search.prioritization;
  config.search.interesting = interrupted.search.interesting;
  return config;
}

} // namespace

void note_provenance(ControlBlock& control, const ExploreOptions& options, std::uint64_t run) {
  control.provenance.run = run;
  write(control.provenance.binary_file, state_of_file(options.binary));
  write(control.provenance.change, sha256_hex(options.change_name));
  write(control.provenance.promoted, digest_of(options.promoted));
  if (options.profile) write(control.provenance.profile, options.profile->digest);
}

void note_binary(Provenance& provenance, const std::string& binary, std::string& digest) {
  if (provenance.binary[0] != '\0') return;
  if (digest.empty()) digest = digest_of_file(binary);
  if (read_provenance(provenance).binary_file == state_of_file(binary)) write(provenance.binary, digest);
}

void take_over(ControlBlock& control, ControlBlock& shared, const ExploreOptions& options,
               const RunConfig& config, unsigned worker) {
  const ProvenanceCopy provenance = read_provenance(control.provenance);
  if (!is_of(provenance, options.binary))
    throw ResumeError("the interrupted run was of another build of " + options.binary);
  const RunConfig interrupted = read_config(control.config);
  const RunConfig wanted = with_order_of(interrupted, config);
  if (const std::string option = difference(interrupted, wanted); !option.empty())
    throw ResumeError("the interrupted run had another " + option);
  if (fetch(control.own.workers) != options.jobs) throw ResumeError("the interrupted run had another --jobs");
  if (provenance.run != read_provenance(shared.provenance).run)
    throw ResumeError("what its workers left does not belong together");
  if (provenance.change != sha256_hex(options.change_name))
    throw ResumeError("the interrupted run was of another change");
  if (provenance.promoted != digest_of(options.promoted))
    throw ResumeError("the interrupted run had another --promote-from");
  if (provenance.profile != (options.profile ? options.profile->digest : ""))
    throw ResumeError("the interrupted run had another --profile");
  control.config = wanted;
  if (read_status(control.status).isolation == IsolationMode::fork)
    control.config.isolation = IsolationMode::fork; // restoring fell short before
  else
    control.status.reason[0] = '\0';
  control.own.index = worker;
  ready_for_new_processes(control, shared, worker);
}

void ready_for_new_processes(ControlBlock& control, ControlBlock& shared, unsigned worker) {
  Status& status = control.status;
  for (auto* word : {&status.doorbell, &status.stop, &status.modules_wanted, &status.modules_known,
                     &status.refused, &status.killed_hung})
    word->store(0);
  status.hurry.store(Hurry::none);
  status.worker_pid.store(0);
  status.known_code_count = 0;
  status.finish = Finish::none;
  status.ready = false;
  control.failure.state.store(0);
  control.pcs.request.store(0);
  control.check.running = false;
  control.own.waiting.store(0);
  recover_search(control, shared, worker);
}

void check_modules(ControlBlock& control, std::string& known, const std::vector<MappedModule>& modules,
                   const std::string& binary) {
  struct stat own = {};
  stat(binary.c_str(), &own);
  std::string text;
  for (const MappedModule& module : modules) {
    struct stat file = {};
    stat(module.path.c_str(), &file);
    // The binary is known by its contents (is_of).
    if (file.st_dev == own.st_dev && file.st_ino == own.st_ino) file = {};
    for (const auto number :
         {module.start, module.end, module.file_offset, static_cast<std::uint64_t>(file.st_size),
          static_cast<std::uint64_t>(file.st_mtim.tv_sec)})
      text += std::to_string(number) + ' ';
    text += module.path + '\n';
  }
  const std::string digest = sha256_hex(text);
  if (known.empty()) known = digest;
  write(control.provenance.modules, known);
  if (known != digest)
    throw ResumeError(
        "libraries of the test have changed since the interrupted run, or lie elsewhere in memory");
}

} // namespace reex
