#include "pool/GenericObjectPool.h"

namespace pool {

GenericObjectPool::GenericObjectPool(PoolableObjectFactory& factory, const Config& config)
    : _factory(factory), _maxActive(config.maxActive), _maxIdle(config.maxIdle),
      _whenExhaustedAction(config.whenExhaustedAction), _maxWait(config.maxWait), _testOnBorrow(config.testOnBorrow),
      _testOnReturn(config.testOnReturn), _lifo(config.lifo) {}

GenericObjectPool::~GenericObjectPool() {
  for (const ObjectTimestampPair& pair : _pool) _factory.destroyObject(pair.value);
}

Object* GenericObjectPool::borrowObject() {
  const auto start = ObjectTimestampPair::Clock::now();
  Latch latch;
  for (;;) {
    {
      std::lock_guard<std::mutex> lock(monitor);
      assertOpen();
      _allocationQueue.push_back(&latch);
      allocate();
    }
    if (!isServed(latch)) waitForLatch(latch, start);

    // Without an idle object, make one.
    Object* object = latch.getPair(latch.lock()).value;
    const bool newlyCreated = object == nullptr;
    if (newlyCreated) object = make();

    // Activate and validate it.
    try {
      _factory.activateObject(object);
      if (_testOnBorrow && !_factory.validateObject(object)) throw NoSuchElementException("not valid");
      std::lock_guard<std::mutex> lock(monitor);
      --_numInternalProcessing;
      ++_numActive;
      return object;
    } catch (const std::exception&) {
      _factory.destroyObject(object);
      std::lock_guard<std::mutex> lock(monitor);
      --_numInternalProcessing;
      latch.reset(latch.lock());
      allocate();
      if (newlyCreated) throw NoSuchElementException("could not make a valid object");
    }
  }
}

bool GenericObjectPool::isServed(Latch& latch) {
  const Latch::Lock lock = latch.lock();
  return latch.getPair(lock).value != nullptr || latch.mayCreate(lock);
}

void GenericObjectPool::waitForLatch(Latch& latch, ObjectTimestampPair::Clock::time_point start) {
  switch (_whenExhaustedAction) {
  case WhenExhausted::grow: {
    std::lock_guard<std::mutex> lock(monitor);
    if (isServed(latch)) return;
    _allocationQueue.remove(&latch);
    ++_numInternalProcessing;
    return;
  }
  case WhenExhausted::fail:
    giveUp(latch, "the pool is exhausted");
    return;
  case WhenExhausted::block:
    awaitLatch(latch, start);
    giveUp(latch, "no object was returned in time"); // unless it was
    return;
  }
}

void GenericObjectPool::awaitLatch(Latch& latch, ObjectTimestampPair::Clock::time_point start) {
  Latch::Lock lock = latch.lock();
  while (latch.getPair(lock).value == nullptr && !latch.mayCreate(lock)) {
    if (_maxWait.count() < 0) {
      latch.wait(lock);
    } else if (!latch.waitUntil(lock, start + _maxWait)) {
      break;
    }
  }
}

void GenericObjectPool::giveUp(Latch& latch, const std::string& reason) {
  std::lock_guard<std::mutex> lock(monitor);
  if (isServed(latch)) return;
  _allocationQueue.remove(&latch);
  throw NoSuchElementException(reason);
}

Object* GenericObjectPool::make() {
  try {
    return _factory.makeObject();
  } catch (...) {
    std::lock_guard<std::mutex> lock(monitor);
    --_numInternalProcessing;
    allocate();
    throw;
  }
}

void GenericObjectPool::allocate() {
  if (isClosed()) return;

  // Hand out the idle objects.
  while (!_pool.empty() && !_allocationQueue.empty()) {
    Latch& latch = *_allocationQueue.front();
    _allocationQueue.pop_front();
    const ObjectTimestampPair pair = _pool.front();
    _pool.pop_front();
    ++_numInternalProcessing;
    latch.setPair(latch.lock(), pair);
  }

  // Those who still wait may make objects, as far as the limit allows.
  while (!_allocationQueue.empty() && (_maxActive < 0 || _numActive + _numInternalProcessing < _maxActive)) {
    Latch& latch = *_allocationQueue.front();
    _allocationQueue.pop_front();
    ++_numInternalProcessing;
    latch.setMayCreate(latch.lock());
  }
}

void GenericObjectPool::returnObject(Object* object) {
  try {
    addObjectToPool(object, true);
  } catch (const std::exception&) {
    destroy(object);
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
  {
    std::lock_guard<std::mutex> lock(monitor);
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
    allocate();
  }
  if (shouldDestroy) _factory.destroyObject(object);
}

void GenericObjectPool::invalidateObject(Object* object) { destroy(object); }

void GenericObjectPool::destroy(Object* object) {
  _factory.destroyObject(object);
  std::lock_guard<std::mutex> lock(monitor);
  --_numActive;
  allocate();
}

void GenericObjectPool::addObject() {
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
    allocate();
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
  allocate();
}

} // namespace pool
