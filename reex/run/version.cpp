#include "reex/run/version.h"

namespace reex {

const char* version() { return REEX_VERSION; }

} // namespace reex
