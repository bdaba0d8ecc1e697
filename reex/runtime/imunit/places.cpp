// Events that stand at operations, so that the code under test needs no REEX_EVENT (docs/imunit.md). The test
// declares a place by its text:
//
//   ("before" | "after") WORDS "in" FUNCTION ["from" FUNCTION]
//
// An event before an operation is an operation of its own, at which the thread comes first. One behind it
// occurs as the thread comes to its next operation, or to its end: nobody can tell the difference.
//
// The places are in the control block, because the parent knows which function an address is in. Which of
// them an execution has declared, the names of its threads and who has left a place begin anew with each
// execution.
#include <cstdio>
#include <cstring>

#include "reex/runtime/core/ending.h"
#include "reex/runtime/core/fiber.h"
#include "reex/runtime/core/runtime.h"
#include "reex/runtime/core/visible.h"
#include "reex/runtime/imunit/imunit.h"
#include "reex/runtime/machine/platform.h"
#include "reex/runtime/record/match.h"
#include "reex/shared/imunit.h"
#include "reex/shared/limits.h"

namespace reex {

bool g_has_places = false;

namespace {

constexpr char k_created_mark = '>'; // of REEX_CREATES (include/reex/imunit/created.h)
constexpr std::uint32_t k_free = ~std::uint32_t{0};

struct OfThread {
  std::uint32_t id;     // of the thread whose slot this is
  std::uint16_t behind; // places behind whose operation it is
  bool named;           // it has told its name, which may be ""
  char name[16];
};

std::uint16_t g_declared = 0; // places of this execution
std::uint16_t g_declared_at_start = 0;
OfThread g_of_thread[k_max_threads];
bool g_some_of_thread = true; // g_of_thread has been used in this execution; at first, it is not set up

OfThread& of_thread(const Fiber& fiber) {
  g_some_of_thread = true;
  OfThread& of = g_of_thread[fiber.slot];
  if (of.id != fiber.id) of = {.id = fiber.id, .behind = 0, .named = false, .name = ""};
  return of;
}

// Takes what is before `mark` from the text into `place`, and moves the text behind the mark. False: the mark
// is not there, or there is no room.
template <std::size_t size>
bool take(const char*& text, const char* mark, char (&place)[size]) {
  const char* const end = strstr(text, mark);
  if (end == nullptr || end == text || static_cast<std::size_t>(end - text) >= size) return false;
  memcpy(place, text, static_cast<std::size_t>(end - text));
  place[end - text] = 0;
  text = end + strlen(mark);
  return true;
}

bool is_operation(const char* words) {
  for (unsigned i = 0; i <= static_cast<unsigned>(k_last_operation); ++i)
    if (strcmp(info(static_cast<Operation>(i)).text, words) == 0) return true;
  return false;
}

// Null: it is right.
const char* fault_of(const char* text, ImunitPlace& place) {
  place.after = strncmp(text, "after ", 6) == 0;
  if (!place.after && strncmp(text, "before ", 7) != 0) return "begin with before or after";
  text += place.after ? 6 : 7;
  if (!take(text, " in ", place.operation))
    return "name the operation and its function, as in \"mutex lock in f\"";
  if (!is_operation(place.operation))
    return "there is no such operation: the trace of a failure has their names";
  if (!take(text, " from ", place.function)) {
    if (*text == 0 || strlen(text) >= sizeof place.function) return "name the function behind \"in\"";
    snprintf(place.function, sizeof place.function, "%s", text);
    return nullptr;
  }
  if (*text == 0 || strlen(text) >= sizeof place.from) return "name the function behind \"from\"";
  snprintf(place.from, sizeof place.from, "%s", text);
  return nullptr;
}

bool is_same(const ImunitPlace& a, const ImunitPlace& b) {
  return a.after == b.after && strcmp(a.name, b.name) == 0 && strcmp(a.operation, b.operation) == 0 &&
         strcmp(a.function, b.function) == 0 && strcmp(a.from, b.from) == 0;
}

std::uint16_t bit(unsigned place) { return static_cast<std::uint16_t>(1U << place); }

// The declared places at an operation of this kind.
std::uint16_t of_kind(Operation operation) {
  const ImunitRecord& record = g.control->imunit;
  std::uint16_t places = 0;
  for (unsigned i = 0; i < k_imunit_places; ++i)
    if ((g_declared & bit(i)) != 0 && strcmp(record.place[i].operation, info(operation).text) == 0)
      places |= bit(i);
  return places;
}

void occur(std::uint16_t places, void* pc, void* frame) {
  for (unsigned i = 0; i < k_imunit_places; ++i)
    if ((places & bit(i)) != 0) occur_at_place(g.control->imunit.place[i].name, pc, frame);
}

// Places of the kind that the running fiber's operation at `pc` is at.
std::uint16_t at(std::uint16_t places, Operation operation, void* pc, void* frame) {
  const Inside inside;
  Fiber& self = *g.current;
  self.pending = {.operation = operation, .pc = pc, .frame = frame};
  find_outer_frames(self);
  const ImunitRecord& record = g.control->imunit;
  const PlaceBits bits = place_bits(self, static_cast<std::uint8_t>(record.places.load()));
  std::uint16_t found = 0;
  for (unsigned i = 0; i < k_imunit_places; ++i)
    if ((places & bits.in & bit(i)) != 0 && (record.place[i].from[0] == 0 || (bits.from & bit(i)) != 0))
      found |= bit(i);
  return found;
}

} // namespace

void events_around(Operation operation, void* pc, void* frame) {
  if (operation == Operation::imunit_scope) return;
  OfThread& mine = of_thread(*g.current);
  const std::uint16_t behind = mine.behind;
  mine.behind = 0;
  occur(behind, pc, frame);
  const std::uint16_t kind = operation == Operation::imunit_event ? 0 : of_kind(operation);
  const std::uint16_t here = kind == 0 ? 0 : at(kind, operation, pc, frame);
  for (unsigned i = 0; i < k_imunit_places; ++i) {
    if ((here & bit(i)) == 0) continue;
    if (g.control->imunit.place[i].after)
      of_thread(*g.current).behind |= bit(i);
    else
      occur_at_place(g.control->imunit.place[i].name, pc, frame);
  }
}

void events_behind(void* pc, void* frame) {
  if (g_has_places && g.active) events_around(Operation::thread_end, pc, frame);
}

const char* name_at_place(const Fiber& fiber) {
  if (fiber.id == 0) return "main";
  OfThread& of = of_thread(fiber);
  if (of.name[0] != 0) return of.name;
  if (!of.named && fiber.own.name[0] == k_created_mark) return fiber.own.name + 1;
  snprintf(of.name, sizeof of.name, "T%u", fiber.id);
  return of.name;
}

void note_name(const Fiber& fiber, const char* name) {
  OfThread& of = of_thread(fiber);
  if (name[0] != k_created_mark) snprintf(of.name, sizeof of.name, "%s", name);
  of.named = true;
}

void snapshot_places() { g_declared_at_start = g_declared; }

void begin_places() {
  g_declared = g_declared_at_start;
  g_has_places = g_declared != 0;
  if (!g_some_of_thread) return;
  for (OfThread& of : g_of_thread) of.id = k_free;
  g_some_of_thread = false;
}

} // namespace reex

using namespace reex;

// A place of an event is declared. Before the schedule that names the event is put in force.
REEX_EXPORT void reex_imunit_place(const char* event, const char* text) {
  if (g.forked_off) return;
  static ImunitPlace place;
  place = {};
  snprintf(place.name, sizeof place.name, "%s", event);
  if (const char* const fault = fault_of(text, place); fault != nullptr) {
    static char message[300];
    snprintf(message, sizeof message, "REEX_EVENT_AT(%s, \"%s\"): %s", event, text, fault);
    refuse(message);
  }
  ImunitRecord& record = g.control->imunit;
  const std::uint32_t count = record.places.load();
  std::uint32_t i = 0;
  while (i < count && !is_same(record.place[i], place)) ++i;
  if (i == k_imunit_places) refuse("more than 16 events of REEX_EVENT_AT");
  if (i == count) {
    record.place[i] = place;
    record.places.store(count + 1, std::memory_order_release);
  }
  g_declared |= bit(i);
  g_has_places = true;
}
