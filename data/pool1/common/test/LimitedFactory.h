#pragma once

#include <mutex>
#include <stdexcept>

#include "pool/PoolableObjectFactory.h"

// Counts the objects that it has made and not destroyed yet, and throws where there would be too many.
class LimitedFactory : public pool::PoolableObjectFactory {
public:
  explicit LimitedFactory(int limit) : limit(limit) {}

  pool::Object* makeObject() override {
    std::lock_guard<std::mutex> lock(monitor);
    if (alive == limit) throw std::runtime_error("too many objects");
    ++alive;
    return new pool::Object;
  }

  void destroyObject(pool::Object* object) override {
    std::lock_guard<std::mutex> lock(monitor);
    --alive;
    delete object;
  }

private:
  std::mutex monitor;
  const int limit;
  int alive = 0;
};
