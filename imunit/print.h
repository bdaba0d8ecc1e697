// What was inferred, for readers and as JSON (docs/json.md, "Inferred schedules").
#pragma once

#include <memory>
#include <string>

#include "imunit/infer.h"

namespace reex::inference {

struct Subject {
  std::string test;   // "Suite.Test" or the binary
  std::string binary; // absolute
  const Source& source;
};

// Paths are relative to `folder` if they are below it.
std::string inference_text(const Inference& inference, const Subject& subject, const std::string& folder);

// The JSON of all tests of a binary.
class InferenceReport {
public:
  explicit InferenceReport(const std::string& binary);
  ~InferenceReport();
  // `diff` is the rewriting; "" for none.
  void add(const Inference& inference, const Subject& subject, const std::string& diff);
  void add_refusal(const std::string& test, const std::string& why);
  std::string text() const; // with a line end

private:
  struct State;
  std::unique_ptr<State> m_state;
};

// "before `q.add(2);`", "at the end of `adder`"
std::string place_text(const Source& source, StatementId at);

} // namespace reex::inference
