#include "replworkers/ResultPool.h"

#include <utility>

namespace replworkers {

void ResultPool::add(double result) {
  std::lock_guard<std::mutex> lock(resultLock);
  results.push_back(result);
}

std::vector<double> ResultPool::takeAll() {
  std::lock_guard<std::mutex> lock(resultLock);
  return std::exchange(results, {});
}

} // namespace replworkers
