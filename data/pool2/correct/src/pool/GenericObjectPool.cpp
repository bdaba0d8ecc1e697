#include "pool/GenericObjectPool.h"

#include <algorithm>

namespace pool {

GenericObjectPool::GenericObjectPool(PoolableObjectFactory& factory, const Config& config)
    : _factory(factory), _maxActive(config.maxActive), _maxIdle(config.maxIdle), _minIdle(config.minIdle),
      _whenExhaustedAction(config.whenExhaustedAction), _maxWait(config.maxWait), _testOnBorrow(config.testOnBorrow),
      _testOnReturn(config.testOnReturn), _lifo(config.lifo), _minEvictableIdleTime(config.minEvictableIdleTime) {}

GenericObjectPool::~GenericObjectPool() {
  for (const ObjectTimestampPair& pair : _pool) _factory.destroyObject(pair.value);
}

Object* GenericObjectPool::borrowObject() {
  const auto start = ObjectTimestampPair::Clock::now();
  std::unique_lock<std::mutex> lock(monitor);
  assertOpen();
  for (;;) {
    ObjectTimestampPair pair;
    bool newlyCreated = false;
    // If there is an idle object, take it.
    if (!_pool.empty()) {
      pair = _pool.front();
      _pool.pop_front();
    } else if (_maxActive >= 0 && _numActive >= _maxActive) {
      // The pool is exhausted.
      switch (_whenExhaustedAction) {
      case WhenExhausted::grow:
        break;
      case WhenExhausted::fail:
        throw NoSuchElementException("the pool is exhausted");
      case WhenExhausted::block:
        waitForObject(lock, start);
        assertOpen();
        continue;
      }
    }

    // Without an idle object, make one.
    if (pair.value == nullptr) {
      pair.value = _factory.makeObject();
      newlyCreated = true;
    }
    ++_numActive;

    // Activate and validate it.
    try {
      _factory.activateObject(pair.value);
      if (_testOnBorrow && !_factory.validateObject(pair.value)) throw NoSuchElementException("not valid");
      return pair.value;
    } catch (const std::exception&) {
      destroyActive(pair.value);
      if (newlyCreated) throw NoSuchElementException("could not make a valid object");
    }
  }
}

void GenericObjectPool::waitForObject(std::unique_lock<std::mutex>& lock,
                                      ObjectTimestampPair::Clock::time_point start) {
  if (_maxWait.count() < 0) {
    changed.wait(lock);
  } else if (changed.wait_until(lock, start + _maxWait) == std::cv_status::timeout) {
    throw NoSuchElementException("no object was returned in time");
  }
}

void GenericObjectPool::returnObject(Object* object) {
  std::lock_guard<std::mutex> lock(monitor);
  try {
    addObjectToPool(object, true);
  } catch (const std::exception&) {
    destroyActive(object);
  }
}

void GenericObjectPool::addObjectToPool(Object* object, bool decrementNumActive) {
  bool success = true;
  if (_testOnReturn && !_factory.validateObject(object)) {
    success = false;
  } else {
    _factory.passivateObject(object);
  }

  bool shouldDestroy = !success;
  if (isClosed() || (_maxIdle >= 0 && static_cast<int>(_pool.size()) >= _maxIdle)) {
    shouldDestroy = true;
  } else if (success) {
    const ObjectTimestampPair pair{object, ObjectTimestampPair::Clock::now()};
    if (_lifo) {
      _pool.push_front(pair);
    } else {
      _pool.push_back(pair);
    }
  }
  if (decrementNumActive) --_numActive;
  changed.notify_all();
  if (shouldDestroy) _factory.destroyObject(object);
}

void GenericObjectPool::invalidateObject(Object* object) {
  std::lock_guard<std::mutex> lock(monitor);
  destroyActive(object);
}

void GenericObjectPool::destroyActive(Object* object) {
  _factory.destroyObject(object);
  --_numActive;
  changed.notify_all();
}

void GenericObjectPool::addObject() {
  std::lock_guard<std::mutex> lock(monitor);
  assertOpen();
  addObjectToPool(_factory.makeObject(), false);
}

int GenericObjectPool::getNumIdle() {
  std::lock_guard<std::mutex> lock(monitor);
  return static_cast<int>(_pool.size());
}

int GenericObjectPool::getNumActive() {
  std::lock_guard<std::mutex> lock(monitor);
  return _numActive;
}

void GenericObjectPool::clear() {
  std::list<ObjectTimestampPair> idle;
  {
    std::lock_guard<std::mutex> lock(monitor);
    idle.swap(_pool);
    changed.notify_all();
  }
  for (const ObjectTimestampPair& pair : idle) _factory.destroyObject(pair.value);
}

void GenericObjectPool::close() {
  BaseObjectPool::close();
  clear();
}

void GenericObjectPool::setMaxActive(int maxActive) {
  std::lock_guard<std::mutex> lock(monitor);
  _maxActive = maxActive;
  changed.notify_all();
}

void GenericObjectPool::setMinIdle(int minIdle) {
  std::lock_guard<std::mutex> lock(monitor);
  _minIdle = minIdle;
}

void GenericObjectPool::ensureMinIdle() {
  // Objects may be borrowed and returned meanwhile. So the deficit is calculated anew before each object, and the
  // first one is a limit, so that this comes to an end.
  const int objectDeficit = calculateDeficit();
  for (int made = 0; made < objectDeficit && calculateDeficit() > 0; ++made) {
    addObject();
  }
}

int GenericObjectPool::calculateDeficit() {
  std::lock_guard<std::mutex> lock(monitor);
  int objectDeficit = _minIdle - static_cast<int>(_pool.size());
  if (_maxActive > 0) {
    const int growLimit = _maxActive - _numActive - static_cast<int>(_pool.size());
    objectDeficit = std::min(objectDeficit, std::max(0, growLimit));
  }
  return objectDeficit;
}

void GenericObjectPool::evict() {
  std::list<ObjectTimestampPair> evicted;
  {
    std::lock_guard<std::mutex> lock(monitor);
    const auto oldest = ObjectTimestampPair::Clock::now() - _minEvictableIdleTime;
    for (auto pair = _pool.begin(); pair != _pool.end();) {
      const auto next = std::next(pair);
      if (pair->since < oldest) evicted.splice(evicted.end(), _pool, pair);
      pair = next;
    }
  }
  for (const ObjectTimestampPair& pair : evicted) _factory.destroyObject(pair.value);
}

} // namespace pool
