// Processes that the test forks.
#pragma once

namespace reex {

// Once, before any constructor of the test: what its handlers of forks do in a child is then the child's, for
// handlers are called there in the order in which they were registered.
void come_first_in_children();

} // namespace reex
