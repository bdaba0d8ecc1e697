// The version of reex, for reports and schedule files.
#pragma once

namespace reex {

const char* version();

} // namespace reex
