#include "reex/replay/base_proof.h"
#include "reex/replay/replay.h"

#include <filesystem>

namespace reex {

BaseProof prove_on_base(ScheduleFile file, const std::string& binary, const RuntimeFiles& runtime) {
  BaseProof proof;
  proof.binary = std::filesystem::absolute(binary).lexically_normal().string();
  file.binary = proof.binary;
  const ReplayResult result = replay(file, runtime);
  proof.message = result.message;
  switch (result.verdict) {
  case ReplayResult::Verdict::passed:
    proof.verdict = BaseProof::Verdict::passes;
    break;
  case ReplayResult::Verdict::failed:
    proof.verdict = BaseProof::Verdict::fails;
    break;
  case ReplayResult::Verdict::diverged:
  case ReplayResult::Verdict::not_started:
  case ReplayResult::Verdict::uncontrolled:
    proof.verdict = BaseProof::Verdict::not_followed;
    break;
  }
  return proof;
}

} // namespace reex
