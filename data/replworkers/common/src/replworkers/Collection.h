#pragma once

#include <cstddef>

#include "replworkers/WorkItem.h"

namespace replworkers {

// Holds the items of a pool; knows nothing of threads.
class Collection {
public:
  virtual ~Collection() = default;
  virtual void add(const WorkItem& item) = 0;
  virtual WorkItem take() = 0;
  virtual std::size_t size() const = 0;
  bool empty() const { return size() == 0; }
};

} // namespace replworkers
