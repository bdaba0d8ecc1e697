// Reads the record "outcomes" (reex/shared/outcomes.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reex/search/search.h"
#include "reex/shared/outcomes.h"

namespace reex {

// The texts. They are read only where something was written, so that a wrong length takes no memory.
class OutcomeText {
public:
  // The block starts at `block` and maps the file of `descriptor`.
  OutcomeText(const Outcomes& shared, const void* block, int descriptor)
      : m_shared(shared), m_block(static_cast<const char*>(block)), m_descriptor(descriptor) {}
  std::string read(std::uint64_t offset, std::uint64_t length) const;
  std::vector<Choice> read_choices(std::uint64_t offset, std::uint32_t count) const;

private:
  void check(std::uint64_t offset, std::uint64_t length) const;

  const Outcomes& m_shared;
  const char* m_block;
  int m_descriptor;
};

struct OutcomeCopy {
  std::string text;
  std::vector<Choice> choices;
  std::uint64_t count = 0;
  std::uint32_t promoted = 0;
  std::uint32_t preemptions = 0;
  std::int32_t value = 0;
  End end = End::running;
};

// All of them, one after another: next() is called until it says false.
class OutcomeReader {
public:
  OutcomeReader(const Outcomes& shared, const void* block, int descriptor);
  bool next(OutcomeCopy& copy);
  bool overflow() const { return m_overflow; }

private:
  const Outcomes& m_shared;
  OutcomeText m_text;
  std::uint32_t m_count = 0;
  std::uint32_t m_at = 0;
  std::uint64_t m_text_left = 0; // texts do not overlap
  bool m_overflow = false;
};

} // namespace reex
