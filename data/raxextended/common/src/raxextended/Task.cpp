#include "raxextended/Task.h"

namespace raxextended {

void Task::run() {
  for (;;) shared = id;
}

} // namespace raxextended
