#include "reex/process/system_calls.h"

#include <algorithm>
#include <sys/syscall.h>

namespace reex {
namespace {

struct SystemCall {
  long number;
  const char* name;
};

constexpr SystemCall k_system_calls[] = {
#include "system_call_names.inc"
};

} // namespace

std::string system_call_name(long number) {
  const auto* found = std::find_if(std::begin(k_system_calls), std::end(k_system_calls),
                                   [number](const SystemCall& call) { return call.number == number; });
  return found == std::end(k_system_calls) ? "system call " + std::to_string(number) : found->name;
}

} // namespace reex
