// The variables of this file belong to a worker.
#include "reex/runtime/memory/restored_memory.h"

#include <cstdint>
#include <cstring>

#include "reex/runtime/core/ending.h"
#include "reex/runtime/memory/dirty_pages.h"

namespace reex {
namespace {

constexpr std::size_t k_page = 4096;
constexpr unsigned k_ranges = 1024;
constexpr unsigned k_most_pieces = 8192;
constexpr unsigned k_most_discarded = 16;

// Hot pages are protected again from time to time: what is written once is not copied for ever.
constexpr std::uint32_t k_protect_every = 1024;
constexpr std::uint32_t k_compare_every = 4096;

// A question about a range of this size costs about as much as a copy. So where page faults come in more than
// every seventh execution, from memory that the test maps and drops for example, shorter ranges are copied as
// a whole (docs/benchmarks.md).
constexpr std::size_t k_always_tracked = std::size_t{64} << 10;
constexpr std::uint32_t k_question = 7;
constexpr std::uint32_t k_most_questions = 1024;

struct Piece { // copied in each restore
  char* low;
  std::size_t size;
  const char* image;
};

struct Tracked { // whole pages
  char* low;
  char* high;
  const char* image;
};

struct Discarded {
  char* low;
  char* high;
};

Piece g_pieces[k_most_pieces]; // first those of untracked memory, then the hot pages, in runs
unsigned g_piece_count = 0;
unsigned g_untracked = 0; // pieces
Tracked g_tracked[k_ranges];
unsigned g_tracked_count = 0;
Discarded g_discarded[k_most_discarded];
unsigned g_discarded_count = 0; // beyond the most: all memory
bool g_some_later = false;      // the kernel has not discarded some of it yet

bool g_can_track = false;
std::uint64_t g_faults = ~std::uint64_t{0}; // at the last question
std::uint32_t g_questions = 0;              // rises with questions, and falls with restores without one
std::uint32_t g_restores = 0;

char* round_up(char* address) {
  return reinterpret_cast<char*>((reinterpret_cast<std::uintptr_t>(address) + k_page - 1) & ~(k_page - 1));
}
char* round_down(char* address) {
  return reinterpret_cast<char*>(reinterpret_cast<std::uintptr_t>(address) & ~(k_page - 1));
}

std::size_t size_of(const Tracked& range) { return static_cast<std::size_t>(range.high - range.low); }

std::size_t add_untracked(char* low, char* high, const char* image) {
  if (low >= high) return 0;
  if (g_untracked == k_most_pieces) internal_error("too many ranges of memory");
  const auto size = static_cast<std::size_t>(high - low);
  g_pieces[g_untracked++] = {low, size, image};
  g_piece_count = g_untracked;
  return size;
}

void copy(const Piece& piece) { memcpy(piece.low, piece.image, piece.size); }

void protect(const Piece& piece) {
  if (!protect_pages(piece.low, piece.low + piece.size)) internal_error("the kernel does not protect pages");
}

// What was discarded and is not what it was gets a fresh page, which counts as written. A page of a file that
// nobody has written stays one. A page that the kernel is to discard later must be written to stay.
void copy_discarded(const Tracked& range) {
  const bool all = g_discarded_count > k_most_discarded;
  const unsigned count = all ? 1 : g_discarded_count;
  for (unsigned i = 0; i < count; ++i) {
    char* low = all || g_discarded[i].low < range.low ? range.low : g_discarded[i].low;
    char* const high = all || g_discarded[i].high > range.high ? range.high : g_discarded[i].high;
    for (; low < high; low += k_page) {
      const char* const image = range.image + (low - range.low);
      if (g_some_later || memcmp(low, image, k_page) != 0) memcpy(low, image, k_page);
    }
  }
}

void find_written(const Tracked& range) {
  for_each_written(
      range.low, range.high,
      [](char* low, char* high, void* argument) {
        const auto& of = *static_cast<const Tracked*>(argument);
        const Piece written{low, static_cast<std::size_t>(high - low), of.image + (low - of.low)};
        if (g_piece_count < k_most_pieces) {
          g_pieces[g_piece_count++] = written;
        } else { // there is no room for one more hot page
          copy(written);
          protect(written);
        }
      },
      const_cast<Tracked*>(&range));
}

void copy_short_ranges_always() {
  unsigned kept = 0;
  for (unsigned i = 0; i < g_tracked_count; ++i) {
    const Tracked& range = g_tracked[i];
    if (size_of(range) < k_always_tracked)
      add_untracked(range.low, range.high, range.image);
    else
      g_tracked[kept++] = range;
  }
  g_tracked_count = kept;
}

// Makes the list of hot pages anew: they are not protected, so the kernel names them again.
void find_hot_pages() {
  g_piece_count = g_untracked;
  g_questions += k_question;
  if (g_questions > k_most_questions) copy_short_ranges_always();
  for (unsigned i = 0; i < g_tracked_count; ++i) {
    copy_discarded(g_tracked[i]);
    find_written(g_tracked[i]);
  }
  g_discarded_count = 0;
  g_some_later = false;
}

void protect_all() {
  while (g_piece_count > g_untracked) protect(g_pieces[--g_piece_count]);
}

// At the first few restores, and then from time to time.
void check_that_nothing_was_missed() {
  const bool power_of_two = (g_restores & (g_restores - 1)) == 0;
  if (!power_of_two && g_restores % k_compare_every != 0) return;
  for (unsigned i = 0; i < g_tracked_count; ++i)
    if (memcmp(g_tracked[i].low, g_tracked[i].image, size_of(g_tracked[i])) != 0)
      internal_error("a restore left memory changed");
}

} // namespace

bool prepare_restored_memory() {
  g_can_track = open_page_tracker();
  return g_can_track;
}

std::size_t add_restored(char* low, char* high, const char* image, bool tracked) {
  char* const first = round_up(low);
  char* const last = round_down(high);
  if (!g_can_track || !tracked || first >= last || g_tracked_count == k_ranges || !track_pages(first, last))
    return add_untracked(low, high, image);
  const std::size_t before = add_untracked(low, first, image);
  g_tracked[g_tracked_count++] = {first, last, image + (first - low)};
  return before + add_untracked(last, high, image + (last - low));
}

void bring_back() {
  ++g_restores;
  if (g_tracked_count > 0) {
    // The count is taken before the question: a fault that comes later leads to the next one.
    const std::uint64_t faults = page_faults();
    if (faults != g_faults || g_discarded_count > 0)
      find_hot_pages();
    else if (g_questions > 0)
      --g_questions;
    g_faults = faults;
  }
  for (unsigned i = 0; i < g_piece_count; ++i) copy(g_pieces[i]);
  if (g_restores % k_protect_every == 0) protect_all();
  check_that_nothing_was_missed();
}

void note_discarded(char* low, std::size_t size, bool later) {
  g_some_later = g_some_later || later;
  if (g_discarded_count < k_most_discarded)
    g_discarded[g_discarded_count] = {round_down(low), round_up(low + size)};
  if (g_discarded_count <= k_most_discarded) ++g_discarded_count;
}

} // namespace reex
