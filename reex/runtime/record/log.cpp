// A line has every choice of the execution, with the enabled threads and their match bits. The log is for
// tests of the order of exploration and for the curious; it is off by default. log_end and drop_log empty the
// text after each execution; the descriptor comes from the zygote.
#include <cstdio>
#include <cstdlib>

#include "reex/runtime/core/process.h"
#include "reex/runtime/core/runtime.h"
#include "reex/runtime/machine/platform.h"
#include "reex/runtime/record/log.h"

namespace reex {
namespace {

constexpr std::size_t k_room = 4 << 20;
char g_text[k_room];
std::size_t g_used = 0;
int g_descriptor = -1;

constexpr const char* k_kinds[] = {"run",      "wake",  "option", "loop",
                                   "spurious", "reuse", "late"}; // in the order of ChoiceKind

template <typename... Arguments>
void append(const char* format, Arguments... arguments) {
  if (g_used + 256 > k_room) return;
  g_used += static_cast<std::size_t>(snprintf(g_text + g_used, 256, format, arguments...));
}

} // namespace

void open_log(int descriptor) { g_descriptor = descriptor; }

void log_choice(const Candidates& candidates, unsigned rank) {
  if (g_descriptor < 0) return;
  append("%s{\"step\":%u,\"kind\":\"%s\",\"current\":%s,\"free\":%s,\"chosen\":%u,\"threads\":[",
         g_used == 0 ? "" : ",", candidates.step, k_kinds[static_cast<unsigned>(candidates.kind)],
         candidates.current_first ? "true" : "false", candidates.leaving_is_free ? "true" : "false", rank);
  for (unsigned i = 0; i < candidates.count; ++i) append("%s%u", i == 0 ? "" : ",", candidates.thread[i]);
  append("%s", "],\"bits\":[");
  for (unsigned i = 0; i < candidates.count; ++i)
    append("%s%u", i == 0 ? "" : ",", candidates.bits == nullptr ? 0u : candidates.bits[i]);
  append("%s", "]}");
}

void log_end() {
  if (g_descriptor < 0) return;
  char head[160];
  const int length = snprintf(head, sizeof head, "{\"iteration\":%u,\"preemptions\":%u,\"choices\":[",
                              g.shared->search.iteration, search().preemptions());
  raw_syscall(SYS_write, g_descriptor, as_long(head), length);
  raw_syscall(SYS_write, g_descriptor, as_long(g_text), static_cast<long>(g_used));
  raw_syscall(SYS_write, g_descriptor, as_long("]}\n"), 3);
  g_used = 0;
}

void drop_log() { g_used = 0; }

} // namespace reex
