#include "cli/compare/compare_identity.h"

#include <fmt/format.h>

#include "cli/subject/binary.h"
#include "reex/run/sha256.h"
#include "reex/run/version.h"

namespace reex {

std::string compare_identity(const CompareSubject& subject) {
  std::string text =
      fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n", version(), digest_of_file(own_executable()),
                  digest_of_file(require_runtime(require_binary(subject.binary)).library), subject.binary,
                  digest_of_file(subject.binary), subject.test, subject.base, subject.judged,
                  subject.schedules, subject.budget.count());
  for (const std::string& word : subject.passed_on) text += "option " + word + '\n';
  for (const std::string& word : subject.arguments) text += "argument " + word + '\n';
  return sha256_hex(text);
}

} // namespace reex
