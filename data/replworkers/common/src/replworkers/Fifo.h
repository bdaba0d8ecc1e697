#pragma once

#include <deque>

#include "replworkers/Collection.h"

namespace replworkers {

// First in, first out.
class Fifo : public Collection {
public:
  void add(const WorkItem& item) override { items.push_back(item); }

  WorkItem take() override {
    const WorkItem item = items.front();
    items.pop_front();
    return item;
  }

  std::size_t size() const override { return items.size(); }

private:
  std::deque<WorkItem> items;
};

} // namespace replworkers
