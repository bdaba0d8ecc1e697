// A thread asks a table for a key, while main removes it and gives another key of the same hash a new value.
extern "C" {
#include <ck_ht.h>
}

#include <cassert>
#include <cstdlib>
#include <thread>

static void* allocate(size_t size) { return std::malloc(size); }
static void give_back(void* memory, size_t, bool) { std::free(memory); }
static void hash(ck_ht_hash_t* result, const void*, size_t, uint64_t) { result->value = 0; }

int main() {
  static ck_ht_t table;
  static ck_malloc allocator;
  allocator.malloc = allocate;
  allocator.free = give_back;
  ck_ht_init(&table, CK_HT_MODE_DIRECT, hash, &allocator, 8, 0);
  ck_ht_hash_t same;
  same.value = 0;
  const auto set = [&](uintptr_t key, uintptr_t value) {
    ck_ht_entry_t entry;
    ck_ht_entry_set_direct(&entry, same, key, value);
    ck_ht_set_spmc(&table, same, &entry);
  };
  set(1, 11);
  set(2, 22);
  std::thread reader([&] {
    ck_ht_entry_t entry;
    ck_ht_entry_key_set_direct(&entry, 1);
    if (ck_ht_get_spmc(&table, same, &entry)) assert(ck_ht_entry_value_direct(&entry) == 11);
  });
  ck_ht_entry_t entry;
  ck_ht_entry_key_set_direct(&entry, 1);
  ck_ht_remove_spmc(&table, same, &entry);
  set(2, 33);
  reader.join();
  ck_ht_destroy(&table);
}
