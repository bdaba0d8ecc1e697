// The version of reex as reports and schedule files name it.
#pragma once

namespace reex {

const char* version();

} // namespace reex
