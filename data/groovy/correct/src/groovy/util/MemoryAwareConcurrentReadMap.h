#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "groovy/util/Monitor.h"

namespace groovy::runtime {
class MetaClass;
}

namespace groovy::util {

// A hash map for many readers and few writers, which can be told to give up what it can do without.
// Readers walk its chains without a lock. So the chains are taken apart while nobody reads, and never before.
class MemoryAwareConcurrentReadMap {
public:
  using Key = std::string;
  using Value = runtime::MetaClass*;

  MemoryAwareConcurrentReadMap();
  MemoryAwareConcurrentReadMap(const MemoryAwareConcurrentReadMap&) = delete;
  MemoryAwareConcurrentReadMap& operator=(const MemoryAwareConcurrentReadMap&) = delete;
  ~MemoryAwareConcurrentReadMap();

  // Null if there is none.
  Value get(const Key& key);

  // The mapping may be given up when memory is short, unless it is strong.
  void put(const Key& key, Value value);
  void putStrong(const Key& key, Value value);

  // The value that was removed; null if there was none.
  Value remove(const Key& key);

  // Memory is short: gives up all mappings that are not strong.
  void releaseMemory();

  std::size_t size();

private:
  struct Entry {
    Entry(std::size_t hash, const Key& key, Value value, bool strong, Entry* next)
        : hash(hash), key(key), value(value), strong(strong), next(next) {}

    const std::size_t hash;
    const Key key;
    std::atomic<Value> value;
    std::atomic<bool> strong;
    std::atomic<Entry*> next;
  };
  using Table = std::vector<std::atomic<Entry*>>;

  static constexpr std::size_t initialCapacity = 4; // a power of two

  static std::size_t hashOf(const Key& key) { return std::hash<Key>()(key); }
  static std::atomic<Entry*>& slotOf(Table& table, std::size_t hash) { return table[hash & (table.size() - 1)]; }

  void lockRead();
  void unlockRead();
  void waitForReaders(std::unique_lock<std::mutex>& lock);

  Entry* find(std::size_t hash, const Key& key);
  void store(const Key& key, Value value, bool strong);
  void rehash(std::unique_lock<std::mutex>& lock);

  Monitor writeLock;
  int concurrentReads = 0;
  Table table;
  std::size_t count = 0;
  std::size_t threshold; // entries, from which on the table grows
};

} // namespace groovy::util
