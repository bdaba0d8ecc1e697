#include "reex/records/provenance.h"

#include "reex/records/checked.h"

namespace reex {

ProvenanceCopy read_provenance(const Provenance& shared) {
  const Checked checked("provenance");
  ProvenanceCopy copy{.run = fetch(shared.run),
                      .binary = checked.line(shared.binary, "the digest of the binary"),
                      .binary_file = checked.line(shared.binary_file, "the file of the binary"),
                      .change = checked.line(shared.change, "the digest of the change"),
                      .promoted = checked.line(shared.promoted, "the digest of the accesses"),
                      .profile = checked.line(shared.profile, "the digest of the profile"),
                      .modules = checked.line(shared.modules, "the digest of the modules"),
                      .seconds = fetch(shared.seconds)};
  constexpr double k_most_seconds = 1e10;
  if (!(copy.seconds >= 0 && copy.seconds <= k_most_seconds)) checked.damaged("the time spent is no time");
  return copy;
}

} // namespace reex
