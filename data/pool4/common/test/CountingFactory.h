#pragma once

#include <mutex>

#include "pool/PoolableObjectFactory.h"

// Counts the objects that it has made and not destroyed yet.
class CountingFactory : public pool::PoolableObjectFactory {
public:
  pool::Object* makeObject() override {
    std::lock_guard<std::mutex> lock(monitor);
    ++alive;
    return new pool::Object;
  }

  void destroyObject(pool::Object* object) override {
    std::lock_guard<std::mutex> lock(monitor);
    --alive;
    delete object;
  }

  int getAlive() {
    std::lock_guard<std::mutex> lock(monitor);
    return alive;
  }

private:
  std::mutex monitor;
  int alive = 0;
};
