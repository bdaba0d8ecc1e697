// See log.cpp.
#pragma once

namespace reex {

void open_log(int descriptor);
void drop_log(); // the execution was thrown away

} // namespace reex
