#include "pool/GenericKeyedObjectPool.h"

#include <algorithm>

namespace pool {

GenericKeyedObjectPool::GenericKeyedObjectPool(KeyedPoolableObjectFactory& factory, const Config& config, int maxTotal)
    : _factory(factory), _maxActive(config.maxActive), _maxIdle(config.maxIdle), _maxTotal(maxTotal),
      _whenExhaustedAction(config.whenExhaustedAction), _maxWait(config.maxWait), _testOnBorrow(config.testOnBorrow),
      _testOnReturn(config.testOnReturn), _lifo(config.lifo) {}

GenericKeyedObjectPool::~GenericKeyedObjectPool() {
  for (const auto& [key, pool] : _poolMap) {
    for (const ObjectTimestampPair& pair : pool.queue) _factory.destroyObject(key, pair.value);
  }
}

Object* GenericKeyedObjectPool::borrowObject(const std::string& key) {
  const auto start = ObjectTimestampPair::Clock::now();
  Latch latch(key);
  for (;;) {
    {
      std::lock_guard<std::mutex> lock(monitor);
      assertOpen();
      _allocationQueue.push_back(&latch);
      allocate();
    }
    if (!latch.isServed()) waitForLatch(latch, start);

    // Without an idle object, make one.
    Object* object = latch.getPair().value;
    const bool newlyCreated = object == nullptr;
    if (newlyCreated) object = makeFor(latch);

    // Activate and validate it.
    try {
      _factory.activateObject(key, object);
      if (_testOnBorrow && !_factory.validateObject(key, object)) throw NoSuchElementException("not valid");
      std::lock_guard<std::mutex> lock(monitor);
      ObjectQueue& pool = _poolMap[key];
      --pool.internalProcessingCount;
      --_totalInternalProcessing;
      ++pool.activeCount;
      ++_totalActive;
      return object;
    } catch (const std::exception&) {
      _factory.destroyObject(key, object);
      std::lock_guard<std::mutex> lock(monitor);
      --_poolMap[key].internalProcessingCount;
      --_totalInternalProcessing;
      latch.reset();
      allocate();
      if (newlyCreated) throw NoSuchElementException("could not make a valid object");
    }
  }
}

void GenericKeyedObjectPool::waitForLatch(Latch& latch, ObjectTimestampPair::Clock::time_point start) {
  switch (_whenExhaustedAction) {
  case WhenExhausted::grow: {
    std::lock_guard<std::mutex> lock(monitor);
    if (latch.isServed()) return;
    _allocationQueue.remove(&latch);
    ++_poolMap[latch.getKey()].internalProcessingCount;
    ++_totalInternalProcessing;
    return;
  }
  case WhenExhausted::fail:
    giveUp(latch, "the pool is exhausted");
    return;
  case WhenExhausted::block:
    if (_maxWait.count() < 0) {
      latch.wait();
    } else if (!latch.waitUntil(start + _maxWait)) {
      giveUp(latch, "no object was returned in time");
    }
    return;
  }
}

void GenericKeyedObjectPool::giveUp(Latch& latch, const std::string& reason) {
  std::lock_guard<std::mutex> lock(monitor);
  if (latch.isServed()) return;
  _allocationQueue.remove(&latch);
  throw NoSuchElementException(reason);
}

Object* GenericKeyedObjectPool::makeFor(Latch& latch) {
  try {
    return _factory.makeObject(latch.getKey());
  } catch (...) {
    std::lock_guard<std::mutex> lock(monitor);
    --_poolMap[latch.getKey()].internalProcessingCount;
    --_totalInternalProcessing;
    allocate();
    throw;
  }
}

void GenericKeyedObjectPool::allocate() {
  if (isClosed()) return;

  // Serve each borrower that can be served, those who came first before the others.
  for (auto place = _allocationQueue.begin(); place != _allocationQueue.end();) {
    Latch& latch = **place;
    ObjectQueue& pool = _poolMap[latch.getKey()];
    if (!pool.queue.empty()) {
      const ObjectTimestampPair pair = pool.queue.front();
      pool.queue.pop_front();
      --_totalIdle;
      ++pool.internalProcessingCount;
      ++_totalInternalProcessing;
      place = _allocationQueue.erase(place);
      latch.setPair(pair);
      continue;
    }

    // With too many objects of other keys, one of those that are idle makes room.
    if (_maxTotal >= 0 && _totalActive + _totalInternalProcessing + _totalIdle >= _maxTotal) clearOldest();
    if (!hasRoom(pool)) {
      ++place;
      continue;
    }
    ++pool.internalProcessingCount;
    ++_totalInternalProcessing;
    place = _allocationQueue.erase(place);
    latch.setMayCreate();
  }
}

bool GenericKeyedObjectPool::hasRoom(const ObjectQueue& pool) const {
  if (_maxActive >= 0 && pool.activeCount + pool.internalProcessingCount >= _maxActive) return false;
  return _maxTotal < 0 || _totalActive + _totalInternalProcessing + _totalIdle < _maxTotal;
}

void GenericKeyedObjectPool::clearOldest() {
  auto oldest = _poolMap.end();
  for (auto entry = _poolMap.begin(); entry != _poolMap.end(); ++entry) {
    const auto& queue = entry->second.queue;
    if (queue.empty()) continue;
    if (oldest == _poolMap.end() || queue.back().since < oldest->second.queue.back().since) oldest = entry;
  }
  if (oldest == _poolMap.end()) return;
  _factory.destroyObject(oldest->first, oldest->second.queue.back().value);
  oldest->second.queue.pop_back();
  --_totalIdle;
}

void GenericKeyedObjectPool::returnObject(const std::string& key, Object* object) {
  try {
    addObjectToPool(key, object, true);
  } catch (const std::exception&) {
    destroy(key, object);
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
    allocate();
  }
  if (shouldDestroy) _factory.destroyObject(key, object);
}

void GenericKeyedObjectPool::invalidateObject(const std::string& key, Object* object) { destroy(key, object); }

void GenericKeyedObjectPool::destroy(const std::string& key, Object* object) {
  _factory.destroyObject(key, object);
  std::lock_guard<std::mutex> lock(monitor);
  --_poolMap[key].activeCount;
  --_totalActive;
  allocate();
}

void GenericKeyedObjectPool::addObject(const std::string& key) {
  assertOpen();
  addObjectToPool(key, _factory.makeObject(key), false);
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
    allocate();
  }
  for (const auto& [key, pairs] : idle) {
    for (const ObjectTimestampPair& pair : pairs) _factory.destroyObject(key, pair.value);
  }
}

void GenericKeyedObjectPool::close() {
  BaseKeyedObjectPool::close();
  clear();
}

} // namespace pool
