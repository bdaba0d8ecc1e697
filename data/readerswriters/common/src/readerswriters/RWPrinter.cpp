#include "readerswriters/RWPrinter.h"

#include <stdexcept>

namespace readerswriters {

void RWPrinter::doRead() {
  {
    std::lock_guard<std::mutex> lock(monitor);
    ++reading;
  }
  {
    std::lock_guard<std::mutex> lock(monitor);
    if (x < maximum) ++x;
  }
  {
    std::lock_guard<std::mutex> lock(monitor);
    --reading;
  }
}

void RWPrinter::doWrite() {
  std::lock_guard<std::mutex> lock(monitor);
  if (reading > 0) throw std::logic_error("a writer is active while somebody reads");
  if (x > 0) --x;
}

} // namespace readerswriters
