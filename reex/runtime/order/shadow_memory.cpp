#include "reex/runtime/order/shadow_memory.h"

#include <sys/mman.h>

#include "reex/runtime/machine/platform.h"
#include "reex/shared/address_space.h"

namespace reex {

std::uint32_t g_execution = 0;
std::uint64_t g_record_thread = 0;
std::uint64_t g_record_when = 0;
ShadowCell* g_shadow_cells = nullptr;
PageMark* g_page_marks = nullptr;

namespace {

constexpr std::size_t k_removed_above = std::size_t{16} << 20; // bytes; smaller ranges go page by page

void* address_space(std::size_t size) {
  const long address = raw_syscall(SYS_mmap, 0, static_cast<long>(size), PROT_READ | PROT_WRITE,
                                   MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return address < 0 && address > -4096 ? nullptr : reinterpret_cast<void*>(address);
}

void forget_by_page(std::uintptr_t low, std::uintptr_t high) {
  each_page(low, high, [](PageMark& page, std::uintptr_t from, std::uintptr_t to) {
    if (!page.is_current()) return;
    if (page.freed) {
      page = {};
      return;
    }
    for (std::uintptr_t at = from & ~std::uintptr_t{k_granule - 1}; at < to; at += k_granule)
      shadow_of(at).clear();
  });
}

template <typename Entry>
void return_pages(const Entry* first, std::size_t count) {
  raw_syscall(SYS_madvise, as_long(first), static_cast<long>(count * sizeof(Entry)), MADV_REMOVE);
}

// Gives the pages of a long range back to the kernel, in steps in which both records and marks fill whole
// pages.
void forget_within_space(std::uintptr_t low, std::uintptr_t high) {
  constexpr std::uintptr_t k_step = k_marked_page / sizeof(PageMark) * k_marked_page;
  if (high - low > k_removed_above) {
    const std::uintptr_t from = (low + k_step - 1) & ~(k_step - 1);
    const std::uintptr_t to = high & ~(k_step - 1);
    return_pages(&shadow_of(from), (to - from) / k_granule);
    return_pages(&page_mark_of(from), (to - from) / k_marked_page);
    forget_by_page(low, from);
    low = to;
  }
  forget_by_page(low, high);
}

} // namespace

void prepare_shadow_memory() {
  constexpr std::size_t k_space = k_address_mask + 1;
  static_assert(k_space / k_granule * sizeof(ShadowCell) == k_record_addresses);
  g_shadow_cells = static_cast<ShadowCell*>(address_space(k_record_addresses));
  g_page_marks = static_cast<PageMark*>(address_space(k_space / k_marked_page * sizeof(PageMark)));
  if (g_page_marks == nullptr) g_shadow_cells = nullptr;
  if (g_shadow_cells == nullptr) g.control->findings.blind = true;
}

int freeing_thread(std::uintptr_t address) {
  const PageMark& page = page_mark_of(address);
  if (!page.is_current() || !page.has_freed) return -1;
  if (page.freed) return page.thread;
  const AccessRecord& first = shadow_of(address).record[0];
  return first.is_current() && (first.when & k_freed) != 0 ? static_cast<int>(first.thread()) : -1;
}

bool may_be_freed(std::uintptr_t low, std::uintptr_t high) {
  bool may = false;
  each_page(low, high, [&may](const PageMark& page, std::uintptr_t, std::uintptr_t) {
    may = may || (page.is_current() && page.has_freed);
  });
  return may;
}

void forget_records(std::uintptr_t low, std::uintptr_t high) {
  constexpr std::uintptr_t k_space = k_address_mask + 1;
  if (high - low > k_space) high = low + k_space;
  const std::uintptr_t border = (low | k_address_mask) + 1; // the cells start again from 0 here
  if (high <= border) return forget_within_space(low, high);
  forget_within_space(low, border);
  forget_within_space(border, high);
}

} // namespace reex
