#include "raxextended/Plan.h"

namespace raxextended {

void Plan::generate() {
  for (std::size_t i = 0; i < timeline.size(); ++i) {
    timeline[i] = static_cast<int>(i) + 1;
  }
  position = 0;
}

int Plan::next() { return position < timeline.size() ? timeline[position++] : done; }

} // namespace raxextended
