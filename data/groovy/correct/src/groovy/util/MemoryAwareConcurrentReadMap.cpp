#include "groovy/util/MemoryAwareConcurrentReadMap.h"

namespace groovy::util {

MemoryAwareConcurrentReadMap::MemoryAwareConcurrentReadMap()
    : table(initialCapacity), threshold(initialCapacity * 3 / 4) {}

MemoryAwareConcurrentReadMap::~MemoryAwareConcurrentReadMap() {
  for (std::atomic<Entry*>& slot : table) {
    for (Entry* entry = slot; entry != nullptr;) {
      Entry* next = entry->next;
      delete entry;
      entry = next;
    }
  }
}

MemoryAwareConcurrentReadMap::Value MemoryAwareConcurrentReadMap::get(const Key& key) {
  const std::size_t hash = hashOf(key);
  lockRead();
  Entry* entry = find(hash, key);
  const Value value = entry != nullptr ? entry->value.load() : nullptr;
  unlockRead();
  return value;
}

void MemoryAwareConcurrentReadMap::put(const Key& key, Value value) { store(key, value, false); }

void MemoryAwareConcurrentReadMap::putStrong(const Key& key, Value value) { store(key, value, true); }

MemoryAwareConcurrentReadMap::Value MemoryAwareConcurrentReadMap::remove(const Key& key) {
  const std::size_t hash = hashOf(key);
  std::unique_lock<std::mutex> lock(writeLock.mutex);
  waitForReaders(lock);
  std::atomic<Entry*>* link = &slotOf(table, hash);
  while (Entry* entry = *link) {
    if (entry->hash == hash && entry->key == key) {
      const Value value = entry->value;
      link->store(entry->next);
      delete entry;
      --count;
      return value;
    }
    link = &entry->next;
  }
  return nullptr;
}

void MemoryAwareConcurrentReadMap::releaseMemory() {
  std::unique_lock<std::mutex> lock(writeLock.mutex);
  waitForReaders(lock);
  for (std::atomic<Entry*>& slot : table) {
    std::atomic<Entry*>* link = &slot;
    while (Entry* entry = *link) {
      if (entry->strong) {
        link = &entry->next;
        continue;
      }
      link->store(entry->next);
      delete entry;
      --count;
    }
  }
}

std::size_t MemoryAwareConcurrentReadMap::size() {
  std::lock_guard<std::mutex> lock(writeLock.mutex);
  return count;
}

void MemoryAwareConcurrentReadMap::lockRead() {
  std::lock_guard<std::mutex> lock(writeLock.mutex);
  ++concurrentReads;
}

void MemoryAwareConcurrentReadMap::unlockRead() {
  std::lock_guard<std::mutex> lock(writeLock.mutex);
  if (--concurrentReads == 0) {
    writeLock.changed.notify_all();
  }
}

void MemoryAwareConcurrentReadMap::waitForReaders(std::unique_lock<std::mutex>& lock) {
  while (concurrentReads != 0) {
    writeLock.changed.wait(lock);
  }
}

MemoryAwareConcurrentReadMap::Entry* MemoryAwareConcurrentReadMap::find(std::size_t hash, const Key& key) {
  for (Entry* entry = slotOf(table, hash); entry != nullptr; entry = entry->next) {
    if (entry->hash == hash && entry->key == key) return entry;
  }
  return nullptr;
}

void MemoryAwareConcurrentReadMap::store(const Key& key, Value value, bool strong) {
  const std::size_t hash = hashOf(key);
  std::unique_lock<std::mutex> lock(writeLock.mutex);
  if (count >= threshold) {
    rehash(lock);
  }
  if (Entry* entry = find(hash, key)) {
    entry->value = value;
    entry->strong = strong;
    return;
  }
  std::atomic<Entry*>& slot = slotOf(table, hash);
  slot = new Entry(hash, key, value, strong, slot);
  ++count;
}

void MemoryAwareConcurrentReadMap::rehash(std::unique_lock<std::mutex>& lock) {
  waitForReaders(lock);
  if (count < threshold) return; // somebody else was faster
  Table larger(table.size() * 2);
  for (std::atomic<Entry*>& slot : table) {
    for (Entry* entry = slot; entry != nullptr;) {
      Entry* next = entry->next;
      std::atomic<Entry*>& place = slotOf(larger, entry->hash);
      entry->next = place.load();
      place = entry;
      entry = next;
    }
  }
  table.swap(larger);
  threshold = table.size() * 3 / 4;
}

} // namespace groovy::util
