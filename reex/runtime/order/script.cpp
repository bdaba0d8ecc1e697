// These variables belong to a worker: no restore changes them. The script grows from execution to execution.
#include "reex/runtime/order/script.h"

#include <cstdlib>
#include <cstring>

#include "reex/runtime/core/ending.h"
#include "reex/runtime/core/process.h"
#include "reex/runtime/core/runtime.h"
#include "reex/runtime/order/fingerprint.h"
#include "reex/runtime/order/gates.h"
#include "reex/runtime/order/promoted.h"
#include "reex/runtime/record/events.h"

namespace reex {

bool g_noting = false;
ScriptUse g_script_use = ScriptUse::grows;

namespace {

struct Entry {
  Fingerprint place;        // its first word is 0: free
  std::uint32_t script = 0; // if it is not g_script, the entry is free
  Act act;
};

constexpr unsigned k_acts = 1u << 18;
constexpr unsigned k_most_acts = k_acts / 4 * 3;

constinit Entry g_acts[k_acts];
unsigned g_act_count = 0;
std::uint32_t g_script = 0; // number of the script; 0: there is none
std::uint32_t g_script_round = 0;
unsigned g_rest = 0; // executions that could have added something, while the script rests
ForesightUse g_use = ForesightUse::unknown;

// The entry of the place, or the free one where it belongs.
Entry& entry_at(Fingerprint place) {
  for (std::uint64_t i = place.b;; ++i) {
    Entry& entry = g_acts[i % k_acts];
    if (entry.script != g_script || entry.place == place) return entry;
  }
}

bool can_be_followed() {
  const RunConfig& config = g.control->config;
  return g_fingerprinting && foresight_use() != ForesightUse::off && !config.spurious &&
         !g_addresses_come_again && !config.timeouts && !config.sleeps_any && is_start_known() &&
         g.live == 1 && !search().is_distrusted() && !g.shared->status.code_came;
}

} // namespace

ForesightUse foresight_use() {
  if (g_use != ForesightUse::unknown) return g_use;
  const char* value = getenv("REEX_FORESIGHT");
  const auto is = [&](const char* name) { return value != nullptr && strcmp(value, name) == 0; };
  return g_use = is("off") ? ForesightUse::off : is("check") ? ForesightUse::check : ForesightUse::on;
}

void begin_script() {
  constexpr unsigned k_notes_one_in = 64; // while it rests
  g_noting = g_script_use != ScriptUse::sleeps && can_be_followed() &&
             (g_script_use == ScriptUse::grows || ++g_rest % k_notes_one_in == 0);
  if (!g_noting) return;
  const std::uint32_t round = g.control->own.round;
  if (g_script != 0 && g_script_round == round) return;
  ++g_script;
  g_script_round = round;
  g_act_count = 0;
}

void note_act(Fingerprint place, const Act& act) {
  Entry& entry = entry_at(place);
  if (entry.script != g_script) {
    if (g_act_count == k_most_acts) { // what follows has no place either, for the most part
      g_noting = false;
      return;
    }
    ++g_act_count;
    entry = {place, g_script, act};
  } else if (entry.act.kind != ActKind::dark && !(entry.act == act)) {
    distrust_script();
  }
}

void fetch_act_ahead(Fingerprint place) { __builtin_prefetch(&g_acts[place.b % k_acts], 1); }

const Act* act_at(Fingerprint place) {
  const Entry& entry = entry_at(place);
  return entry.script == g_script ? &entry.act : nullptr;
}

bool has_script() {
  return g_script != 0 && g_script_round == g.control->own.round && !g.shared->status.code_came;
}

void distrust_script() {
  if (foresight_use() == ForesightUse::check) give_up("an execution was not as foreseen");
  g_noting = false;
  g_script_round = ~g.control->own.round;
  search().distrust_foresight();
}

} // namespace reex
