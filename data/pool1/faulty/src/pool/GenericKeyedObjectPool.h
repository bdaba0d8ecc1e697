#pragma once

#include <condition_variable>
#include <list>
#include <map>
#include <mutex>
#include <string>

#include "pool/BaseKeyedObjectPool.h"
#include "pool/Config.h"
#include "pool/KeyedPoolableObjectFactory.h"
#include "pool/ObjectTimestampPair.h"

namespace pool {

// A pool of pools, one for each key, with limits for each.
class GenericKeyedObjectPool : public BaseKeyedObjectPool {
public:
  GenericKeyedObjectPool(KeyedPoolableObjectFactory& factory, const Config& config, int maxTotal = -1);
  ~GenericKeyedObjectPool() override;

  Object* borrowObject(const std::string& key) override;
  void returnObject(const std::string& key, Object* object) override;
  void invalidateObject(const std::string& key, Object* object) override;
  void addObject(const std::string& key) override;

  int getNumIdle(const std::string& key) override;
  int getNumActive(const std::string& key) override;
  void clear() override;
  void close() override;

  // From now on, ensureMinIdle() takes care of this key.
  void preparePool(const std::string& key);

  // For a timer, as in GenericObjectPool.
  void ensureMinIdle();

private:
  // The objects of a key.
  struct ObjectQueue {
    std::list<ObjectTimestampPair> queue; // the idle ones, the one that was returned last at the front
    int activeCount = 0;
  };

  void waitForObject(std::unique_lock<std::mutex>& lock, ObjectTimestampPair::Clock::time_point start);
  void addObjectToPool(const std::string& key, Object* object, bool decrementNumActive);
  void destroy(const std::string& key, Object* object);
  bool isExhausted(const ObjectQueue& pool) const;
  bool freeOldestIdle(std::unique_lock<std::mutex>& lock);

  void ensureMinIdle(const std::string& key);
  int calculateDeficit(const std::string& key);

  KeyedPoolableObjectFactory& _factory;
  std::mutex monitor; // of all that follows
  std::condition_variable changed;
  std::map<std::string, ObjectQueue> _poolMap;
  int _totalActive = 0;
  int _totalIdle = 0;
  const int _maxActive;
  const int _maxIdle;
  const int _minIdle;
  const int _maxTotal; // of all keys, active and idle; negative: no limit
  const WhenExhausted _whenExhaustedAction;
  const std::chrono::milliseconds _maxWait;
  const bool _testOnBorrow;
  const bool _testOnReturn;
  const bool _lifo;
};

} // namespace pool
