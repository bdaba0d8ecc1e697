#include "raxextended/Diagnosis.h"

namespace raxextended {

void Diagnosis::run() {
  for (;;) {
    exec.waitForEvent();
    repair();
  }
}

} // namespace raxextended
