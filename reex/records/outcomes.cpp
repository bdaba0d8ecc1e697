#include "reex/records/outcomes.h"

#include <unistd.h>

#include "reex/records/checked.h"
#include "reex/records/schedules.h"

namespace reex {

namespace {
constexpr Checked k_checked("outcomes");
constexpr std::uint64_t k_short = std::uint64_t{1} << 20; // whether it was written is not asked
} // namespace

void OutcomeText::check(std::uint64_t offset, std::uint64_t length) const {
  k_checked.at_most(offset, k_max_outcome_text, "the place of a text");
  k_checked.at_most(length, k_max_outcome_text - offset, "the length of a text");
  if (length <= k_short) return;
  const off_t start = (m_shared.text - m_block) + static_cast<off_t>(offset);
  const off_t hole = lseek(m_descriptor, start, SEEK_HOLE);
  if (hole >= 0 && hole < start + static_cast<off_t>(length))
    k_checked.damaged("a text of " + std::to_string(length) + " bytes was never written");
}

std::string OutcomeText::read(std::uint64_t offset, std::uint64_t length) const {
  check(offset, length);
  std::string copy(m_shared.text + offset, length);
  end_of_copy();
  return copy;
}

std::vector<Choice> OutcomeText::read_choices(std::uint64_t offset, std::uint32_t count) const {
  k_checked.at_most(count, k_max_decisions, "the number of choices");
  check(offset, std::uint64_t{count} * sizeof(Choice));
  if (offset % alignof(Choice) != 0) k_checked.damaged("choices lie across their places");
  return reex::read_choices(reinterpret_cast<const Choice*>(m_shared.text + offset), count);
}

OutcomeReader::OutcomeReader(const Outcomes& shared, const void* block, int descriptor)
    : m_shared(shared), m_text(shared, block, descriptor),
      m_count(k_checked.at_most(fetch(shared.count), k_max_outcomes, "the number of outcomes")),
      m_text_left(k_checked.at_most(fetch(shared.text_used), k_max_outcome_text, "the length of all texts")),
      m_overflow(k_checked.flag(shared.overflow, "the mark that they are too many")) {}

bool OutcomeReader::next(OutcomeCopy& copy) {
  if (m_at == m_count) return false;
  const OutcomeRecord record = fetch(m_shared.record[m_at++]);
  k_checked.enumerator(record.end, End::pruned, "the ending of an outcome");
  k_checked.at_most(record.text_length, m_text_left, "the length of a text");
  m_text_left -= record.text_length;
  if (record.count == 0) k_checked.damaged("an outcome is empty");
  copy = {.text = m_text.read(record.text_offset, record.text_length),
          .choices = m_text.read_choices(record.decisions_offset, record.decisions_count),
          .count = k_checked.at_most(record.count, k_most_executions, "the number of executions"),
          .promoted = record.promoted,
          .preemptions = record.preemptions,
          .value = record.value,
          .end = record.end};
  return true;
}

} // namespace reex
