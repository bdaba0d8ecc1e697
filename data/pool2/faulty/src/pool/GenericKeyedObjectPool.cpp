#include "pool/GenericKeyedObjectPool.h"

#include <algorithm>
#include <vector>

namespace pool {

GenericKeyedObjectPool::GenericKeyedObjectPool(KeyedPoolableObjectFactory& factory, const Config& config, int maxTotal)
    : _factory(factory), _maxActive(config.maxActive), _maxIdle(config.maxIdle), _minIdle(config.minIdle),
      _maxTotal(maxTotal), _whenExhaustedAction(config.whenExhaustedAction), _maxWait(config.maxWait),
      _testOnBorrow(config.testOnBorrow), _testOnReturn(config.testOnReturn), _lifo(config.lifo) {}

GenericKeyedObjectPool::~GenericKeyedObjectPool() {
  for (const auto& [key, pool] : _poolMap) {
    for (const ObjectTimestampPair& pair : pool.queue) _factory.destroyObject(key, pair.value);
  }
}

Object* GenericKeyedObjectPool::borrowObject(const std::string& key) {
  const auto start = ObjectTimestampPair::Clock::now();
  for (;;) {
    ObjectTimestampPair pair;
    bool newlyCreated = false;
    {
      std::unique_lock<std::mutex> lock(monitor);
      assertOpen();
      ObjectQueue& pool = _poolMap[key];
      // If there is an idle object of the key, take it.
      if (!pool.queue.empty()) {
        pair = pool.queue.front();
        pool.queue.pop_front();
        --_totalIdle;
      } else {
        // With too many objects of other keys, one of those that are idle makes room.
        if (_maxTotal >= 0 && _totalActive + _totalIdle >= _maxTotal) freeOldestIdle(lock);
        if (isExhausted(pool)) {
          switch (_whenExhaustedAction) {
          case WhenExhausted::grow:
            break;
          case WhenExhausted::fail:
            throw NoSuchElementException("the pool is exhausted");
          case WhenExhausted::block:
            waitForObject(lock, start);
            continue;
          }
        }
      }
      ++pool.activeCount;
      ++_totalActive;
    }

    // Without an idle object, make one.
    if (pair.value == nullptr) {
      try {
        pair.value = _factory.makeObject(key);
        newlyCreated = true;
      } catch (...) {
        std::lock_guard<std::mutex> lock(monitor);
        --_poolMap[key].activeCount;
        --_totalActive;
        changed.notify_all();
        throw;
      }
    }

    // Activate and validate it.
    try {
      _factory.activateObject(key, pair.value);
      if (_testOnBorrow && !_factory.validateObject(key, pair.value)) throw NoSuchElementException("not valid");
      return pair.value;
    } catch (const std::exception&) {
      destroyActive(key, pair.value);
      if (newlyCreated) throw NoSuchElementException("could not make a valid object");
    }
  }
}

bool GenericKeyedObjectPool::isExhausted(const ObjectQueue& pool) const {
  if (_maxActive >= 0 && pool.activeCount >= _maxActive) return true;
  return _maxTotal >= 0 && _totalActive + _totalIdle >= _maxTotal;
}

void GenericKeyedObjectPool::waitForObject(std::unique_lock<std::mutex>& lock,
                                           ObjectTimestampPair::Clock::time_point start) {
  if (_maxWait.count() < 0) {
    changed.wait(lock);
  } else if (changed.wait_until(lock, start + _maxWait) == std::cv_status::timeout) {
    throw NoSuchElementException("no object was returned in time");
  }
}

bool GenericKeyedObjectPool::freeOldestIdle(std::unique_lock<std::mutex>& lock) {
  auto oldest = _poolMap.end();
  for (auto entry = _poolMap.begin(); entry != _poolMap.end(); ++entry) {
    const auto& queue = entry->second.queue;
    if (queue.empty()) continue;
    if (oldest == _poolMap.end() || queue.back().since < oldest->second.queue.back().since) oldest = entry;
  }
  if (oldest == _poolMap.end()) return false;

  const std::string key = oldest->first;
  Object* object = oldest->second.queue.back().value;
  oldest->second.queue.pop_back();
  --_totalIdle;
  lock.unlock();
  _factory.destroyObject(key, object);
  lock.lock();
  return true;
}

void GenericKeyedObjectPool::returnObject(const std::string& key, Object* object) {
  try {
    addObjectToPool(key, object, true);
  } catch (const std::exception&) {
    destroyActive(key, object);
  }
}

void GenericKeyedObjectPool::addObjectToPool(const std::string& key, Object* object, bool decrementNumActive) {
  bool success = true;
  if (_testOnReturn && !_factory.validateObject(key, object)) {
    success = false;
  } else {
    _factory.passivateObject(key, object);
  }

  bool shouldDestroy = !success;
  {
    std::lock_guard<std::mutex> lock(monitor);
    ObjectQueue& pool = _poolMap[key];
    if (isClosed() || (_maxIdle >= 0 && static_cast<int>(pool.queue.size()) >= _maxIdle)) {
      shouldDestroy = true;
    } else if (success) {
      const ObjectTimestampPair pair{object, ObjectTimestampPair::Clock::now()};
      if (_lifo) {
        pool.queue.push_front(pair);
      } else {
        pool.queue.push_back(pair);
      }
      ++_totalIdle;
    }
    if (decrementNumActive) {
      --pool.activeCount;
      --_totalActive;
    }
    changed.notify_all();
  }
  if (shouldDestroy) _factory.destroyObject(key, object);
}

void GenericKeyedObjectPool::invalidateObject(const std::string& key, Object* object) { destroyActive(key, object); }

void GenericKeyedObjectPool::destroyActive(const std::string& key, Object* object) {
  _factory.destroyObject(key, object);
  std::lock_guard<std::mutex> lock(monitor);
  --_poolMap[key].activeCount;
  --_totalActive;
  changed.notify_all();
}

void GenericKeyedObjectPool::addObject(const std::string& key) {
  Object* object = _factory.makeObject(key);
  _factory.passivateObject(key, object);
  {
    std::lock_guard<std::mutex> lock(monitor);
    if (!isClosed()) {
      _poolMap[key].queue.push_front({object, ObjectTimestampPair::Clock::now()});
      ++_totalIdle;
      changed.notify_all();
      return;
    }
  }
  _factory.destroyObject(key, object);
  assertOpen();
}

int GenericKeyedObjectPool::getNumIdle(const std::string& key) {
  std::lock_guard<std::mutex> lock(monitor);
  return static_cast<int>(_poolMap[key].queue.size());
}

int GenericKeyedObjectPool::getNumActive(const std::string& key) {
  std::lock_guard<std::mutex> lock(monitor);
  return _poolMap[key].activeCount;
}

void GenericKeyedObjectPool::clear() {
  std::map<std::string, std::list<ObjectTimestampPair>> idle;
  {
    std::lock_guard<std::mutex> lock(monitor);
    for (auto& [key, pool] : _poolMap) idle[key].swap(pool.queue);
    _totalIdle = 0;
    changed.notify_all();
  }
  for (const auto& [key, pairs] : idle) {
    for (const ObjectTimestampPair& pair : pairs) _factory.destroyObject(key, pair.value);
  }
}

void GenericKeyedObjectPool::close() {
  BaseKeyedObjectPool::close();
  clear();
}

void GenericKeyedObjectPool::preparePool(const std::string& key) {
  std::lock_guard<std::mutex> lock(monitor);
  _poolMap[key];
}

void GenericKeyedObjectPool::ensureMinIdle() {
  std::vector<std::string> keys;
  {
    std::lock_guard<std::mutex> lock(monitor);
    for (const auto& [key, pool] : _poolMap) keys.push_back(key);
  }
  for (const std::string& key : keys) ensureMinIdle(key);
}

void GenericKeyedObjectPool::ensureMinIdle(const std::string& key) {
  // As in GenericObjectPool: the first deficit is a limit.
  const int objectDeficit = calculateDeficit(key);
  for (int made = 0; made < objectDeficit && calculateDeficit(key) > 0; ++made) {
    addObject(key);
  }
}

int GenericKeyedObjectPool::calculateDeficit(const std::string& key) {
  std::lock_guard<std::mutex> lock(monitor);
  ObjectQueue& pool = _poolMap[key];
  int objectDeficit = _minIdle - static_cast<int>(pool.queue.size());
  if (_maxActive > 0) {
    const int growLimit = _maxActive - pool.activeCount - static_cast<int>(pool.queue.size());
    objectDeficit = std::min(objectDeficit, std::max(0, growLimit));
  }
  if (_maxTotal > 0) {
    const int growLimit = _maxTotal - _totalActive - _totalIdle;
    objectDeficit = std::min(objectDeficit, std::max(0, growLimit));
  }
  return objectDeficit;
}

} // namespace pool
