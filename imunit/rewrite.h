// What turns a sleep-based test into one with events and a schedule, as edits of its file.
#pragma once

#include <string>
#include <vector>

#include "edits/edits.h"
#include "imunit/infer.h"

namespace reex::inference {

struct RewriteParts {
  bool removes_sleeps = true; // those that the schedule replaces
};

struct Rewriting {
  std::vector<Edit> edits;
  std::string refusal; // why there are none; "" if there are
};

// Names threads, inserts events and the schedule, removes the sleeps that it replaces. Indentation is that of
// the lines around.
Rewriting rewrite(const Inference& inference, const Source& source, const RewriteParts& parts = {});

} // namespace reex::inference
