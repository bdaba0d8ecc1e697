// Objects of the test that functions of libc and libstdc++ change, as the table library_objects.def says:
// states of random numbers, buffers, streams. The functions' types differ, so each export is a few
// instructions that keep all registers of arguments, tell about the call, call the real function, and tell
// what it has changed.
#include "reex/runtime/accesses/library_objects.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <cwchar>

#include "reex/runtime/accesses/library_call.h"
#include "reex/runtime/accesses/trampoline.h"
#include "reex/runtime/order/buffers.h"

namespace reex {
namespace {

enum class Change : std::uint8_t {
  none,
  read,
  read_times,
  read_text,
  read_wide,
  read_string,
  read_path,
  compared, // from here on, the function comes back
  written,
  on_zero,
  on_text,
  on_wide,
  on_success,
  counted,
  written_times,
  several_on_zero,
  up_to_result,
  read_to_result,
  name,
  passed,
  passed_over,
  added,
  filled,
  output,
  input,
  extracted,
  line,
  taken,
  path,
  path_end,
  split
};

struct Use {
  Change change = Change::none;
  std::uint8_t argument = 1; // from 1
  std::uint8_t offset = 0;
  std::uint16_t size = 0;
};

constexpr unsigned k_uses = 4;

struct Uses {
  Use each[k_uses];
};

constexpr void fill(Use*) {}

template <typename... Rest>
constexpr void fill(Use* use, Change change, int argument, int offset, int size, Rest... rest) {
  *use = {change, static_cast<std::uint8_t>(argument), static_cast<std::uint8_t>(offset),
          static_cast<std::uint16_t>(size)};
  fill(use + 1, rest...);
}

template <typename... Numbers>
constexpr Uses uses(Numbers... numbers) {
  Uses made;
  fill(made.each, numbers...);
  return made;
}

} // namespace

struct ChangingCall {
  const char* name;
  Uses uses;
};

namespace {

namespace table {
using enum Change;

// The functions that are exported here, in the order of the trampolines.
constexpr ChangingCall k_calls[] = {
#define REEX_CHANGES(function, ...) {#function, uses(__VA_ARGS__)},
#define REEX_CHANGES_TOO(...)
#include "reex/runtime/accesses/library_objects.def"
#undef REEX_CHANGES
#undef REEX_CHANGES_TOO
};

constexpr ChangingCall k_calls_of_others[] = {
#define REEX_CHANGES(...)
#define REEX_CHANGES_TOO(function, ...) {#function, uses(__VA_ARGS__)},
#include "reex/runtime/accesses/library_objects.def"
#undef REEX_CHANGES
#undef REEX_CHANGES_TOO
};

} // namespace table

void* g_real[sizeof table::k_calls / sizeof *table::k_calls];

constexpr std::size_t k_unlimited = ~std::size_t{0};
constexpr unsigned k_in_registers = 6;
constexpr unsigned k_result = 6; // rax, among the registers of arguments
constexpr unsigned k_before = 8; // the first of the words that are kept until the function has returned

// libstdc++'s streams.
constexpr std::ptrdiff_t k_base_of_stream =
    -24; // from the virtual functions: where the distance to std::ios is
constexpr std::ptrdiff_t k_count_in_input = 8;
constexpr std::ptrdiff_t k_state_in_ios = 32;
constexpr std::ptrdiff_t k_buffer_in_ios = 232;
constexpr std::ptrdiff_t k_input_in_buffer = 16;
constexpr std::ptrdiff_t k_output_in_buffer = 40;

// Its paths: a string, and the list of the parts.
constexpr std::ptrdiff_t k_parts_in_path = 32;

template <typename Value>
Value value_at(const char* object, std::ptrdiff_t offset) {
  Value value;
  std::memcpy(&value, object + offset, sizeof value);
  return value;
}

char* ios_of(char* stream) {
  return stream + value_at<std::ptrdiff_t>(value_at<char*>(stream, 0), k_base_of_stream);
}

char* position_of(char* stream, std::ptrdiff_t in_buffer) {
  char* const buffer = value_at<char*>(ios_of(stream), k_buffer_in_ios);
  return buffer == nullptr ? nullptr : buffer + in_buffer;
}

struct String {
  const char* text;
  std::size_t size;
};

// One use in one call.
class Changing {
public:
  Changing(const Use& use, const std::uint64_t* arguments, const std::uint64_t* frame, void* pc)
      : m_use(use), m_arguments(arguments), m_frame(frame), m_pc(pc) {}

  void reach() const {
    if (m_use.change == Change::none || place() == nullptr) return;
    if (only_reads() || m_use.change == Change::name)
      will_read_buffer(place(), m_pc);
    else
      will_write_buffer(place(), m_pc);
  }

  // `kept` is a word for the time until the function returns. True: the function has to come back.
  bool before(std::uint64_t& kept) const {
    if (m_use.change == Change::none || place() == nullptr) return false;
    if (!only_reads()) {
      kept = what_is_kept();
      return true;
    }
    switch (m_use.change) {
    case Change::read_text:
      reads_characters(place(), strnlen(place(), most()));
      break;
    case Change::read_wide: {
      const auto* const text = reinterpret_cast<const wchar_t*>(place());
      reads_characters(text, wcsnlen(text, most()));
      break;
    }
    case Change::read_string:
      reads_string(m_use.size);
      break;
    case Change::read_path:
      reads_string(1);
      reads_buffer(place() + k_parts_in_path, sizeof(void*), m_pc);
      break;
    default:
      reads_buffer(place(), size(), m_pc);
    }
    return false;
  }

  void behind(std::uint64_t kept) const {
    if (m_use.change == Change::none || only_reads() || place() == nullptr) return;
    const auto result = m_arguments[k_result];
    switch (m_use.change) {
    case Change::compared:
    case Change::output:
    case Change::input:
      return hash() != kept ? receives() : reads_buffer(place(), size(), m_pc);
    case Change::written:
    case Change::written_times:
      return receives();
    case Change::on_zero:
    case Change::several_on_zero:
      return static_cast<std::uint32_t>(result) == 0 ? receives() : void();
    case Change::on_text:
      return result == reinterpret_cast<std::uint64_t>(place()) ? receives_text(place(), m_pc) : void();
    case Change::on_wide: {
      const auto* const text = reinterpret_cast<const wchar_t*>(place());
      return result == reinterpret_cast<std::uint64_t>(text)
                 ? receives_buffer(text, static_cast<long>((std::wcslen(text) + 1) * sizeof *text), m_pc)
                 : void();
    }
    case Change::on_success:
      return static_cast<std::uint32_t>(result) == 0 ? receives_text(place(), m_pc) : void();
    case Change::counted:
      return receives_buffer(place(), static_cast<long>(result) * m_use.size, m_pc);
    case Change::up_to_result:
      return receives_buffer(place(), reinterpret_cast<char*>(result) - place(), m_pc);
    case Change::read_to_result:
      return reads_up_to(reinterpret_cast<char*>(result));
    case Change::name:
      return errno == EFAULT && static_cast<std::int32_t>(result) <= 0 ? void() : reads_text(place(), m_pc);
    case Change::passed:
    case Change::passed_over:
      return passes(reinterpret_cast<char*>(kept), value_at<char*>(place(), 0));
    case Change::added:
      return result != 0 && *reinterpret_cast<std::uint64_t*>(result) == m_arguments[0]
                 ? receives()
                 : reads_buffer(place(), size(), m_pc);
    case Change::filled:
      reads_text(place(), m_pc);
      return receives_buffer(reinterpret_cast<char*>(kept), size(), m_pc);
    case Change::extracted:
      return kept != 0 ? receives() : void();
    case Change::line: {
      if (kept == 0) return;
      const auto string = value_at<String>(place(), 0);
      receives_buffer(place() + sizeof(char*), sizeof string.size, m_pc);
      return receives_buffer(string.text, static_cast<long>((string.size + 1) * m_use.size), m_pc);
    }
    case Change::taken:
      return receives_buffer(place(), value_at<long>(stream(), k_count_in_input) * m_use.size, m_pc);
    case Change::path:
      return changes_path(0);
    case Change::path_end:
      return changes_path(kept);
    case Change::split:
      return splits(reinterpret_cast<char*>(result), reinterpret_cast<char*>(kept));
    default:
      return;
    }
  }

private:
  bool only_reads() const { return m_use.change < Change::compared; }

  std::uint64_t argument(unsigned number) const {
    return number <= k_in_registers ? m_arguments[number - 1] : m_frame[number - 1 - k_in_registers];
  }

  char* pointer() const { return reinterpret_cast<char*>(argument(m_use.argument)); }

  // `offset` is that of an argument.
  bool is_of_several() const {
    return m_use.change == Change::written_times || m_use.change == Change::read_times ||
           m_use.change == Change::several_on_zero;
  }

  char* place() const {
    if (pointer() == nullptr || is_of_several() || m_use.change == Change::read_to_result ||
        reads_text_only())
      return pointer();
    if (m_use.change == Change::output) return position_of(pointer(), k_output_in_buffer);
    if (m_use.change == Change::input) return position_of(pointer(), k_input_in_buffer);
    return pointer() + m_use.offset;
  }

  long size() const {
    if (m_use.change == Change::output || m_use.change == Change::input) return sizeof(char*);
    return is_of_several() ? static_cast<long>(argument(m_use.offset)) * m_use.size : m_use.size;
  }

  bool reads_text_only() const {
    return m_use.change == Change::read_text || m_use.change == Change::read_wide;
  }

  // Of a text that the function reads, characters.
  std::size_t most() const {
    if (m_use.offset == 0) return k_unlimited;
    const std::uint64_t other = argument(m_use.offset);
    if (m_use.size != 0) return (other & m_use.size) != 0 ? 0 : k_unlimited;
    return m_arguments[0] != 0 ? other : k_unlimited;
  }

  template <typename Char>
  void reads_characters(const Char* text, std::size_t length) const {
    const std::size_t count = length < most() ? length + 1 : length;
    reads_buffer(text, static_cast<long>(count * sizeof *text), m_pc);
  }

  char* stream() const { return reinterpret_cast<char*>(m_arguments[0]); }

  bool stream_is_good() const { return value_at<std::uint32_t>(ios_of(stream()), k_state_in_ios) == 0; }

  std::uint64_t what_is_kept() const {
    switch (m_use.change) {
    case Change::compared:
    case Change::output:
    case Change::input:
      return hash();
    case Change::extracted:
    case Change::line:
      return static_cast<std::uint64_t>(stream_is_good());
    case Change::path_end:
      return value_at<String>(place(), 0).size;
    case Change::passed:
    case Change::passed_over:
      return value_at<std::uint64_t>(place(), 0);
    case Change::filled:
      return reinterpret_cast<std::uint64_t>(signs_of_pattern());
    case Change::split:
      return reinterpret_cast<std::uint64_t>(place() + std::strlen(place()));
    default:
      return 0;
    }
  }

  // Of what is compared.
  std::uint64_t hash() const {
    std::uint64_t hash = 0;
    for (long i = 0; i < size(); ++i)
      hash = (hash ^ static_cast<unsigned char>(place()[i])) * 0x9e3779b97f4a7c15;
    return hash;
  }

  void receives() const { receives_buffer(place(), size(), m_pc); }

  void reads_string(std::size_t size_of_character) const {
    const auto string = value_at<String>(place(), 0);
    reads_buffer(place(), sizeof string, m_pc);
    reads_buffer(string.text, static_cast<long>(string.size * size_of_character), m_pc);
  }

  void reads_up_to(const char* end) const {
    if (end == nullptr) return reads_buffer(place(), 1, m_pc);
    const bool is_all = m_use.offset != 0 && end == reinterpret_cast<char*>(argument(m_use.offset));
    reads_buffer(place(), end - place() + (is_all ? 0 : 1), m_pc);
  }

  void passes(const char* from, const char* to) const {
    if (from == to || from == nullptr) return reads_buffer(place(), sizeof from, m_pc);
    receives_buffer(place(), sizeof from, m_pc);
    if (m_use.change == Change::passed_over) return receives_buffer(from, to - from, m_pc);
    if (to != nullptr) return reads_buffer(from, to - from, m_pc);
    const std::size_t length =
        m_use.size == 1 ? std::strlen(from) : std::wcslen(reinterpret_cast<const wchar_t*>(from));
    reads_buffer(from, static_cast<long>((length + 1) * m_use.size), m_pc);
  }

  // The last of them in the name.
  const char* signs_of_pattern() const {
    const char* found = nullptr;
    for (const char* at = std::strstr(place(), "XXXXXX"); at != nullptr; at = std::strstr(at + 1, "XXXXXX"))
      found = at;
    return found;
  }

  // A text that does not fit moves to a new place, which no other thread knows.
  void changes_path(std::size_t from) const {
    const auto string = value_at<String>(place(), 0);
    const std::size_t first = std::min(from, string.size);
    receives_buffer(place(), sizeof string, m_pc);
    receives_buffer(place() + k_parts_in_path, sizeof(void*), m_pc);
    receives_buffer(string.text + first, static_cast<long>(string.size + 1 - first), m_pc);
  }

  // strtok has passed over delimiters, and has put an end behind the token, if the text did not end there.
  void splits(const char* token, const char* end) const {
    const char* const stop = token == nullptr ? end : token + std::strlen(token);
    reads_buffer(place(), stop - place() + 1, m_pc);
    if (stop != end) receives_buffer(stop, 1, m_pc);
  }

  const Use& m_use;
  const std::uint64_t* m_arguments;
  const std::uint64_t* m_frame;
  void* m_pc;
};

} // namespace

const ChangingCall* changing_call(const char* name) {
  for (const ChangingCall& call : table::k_calls_of_others)
    if (std::strcmp(call.name, name) == 0) return &call;
  return nullptr;
}

void reach_objects(const ChangingCall& call, const std::uint64_t* arguments, const std::uint64_t* frame,
                   void* pc) {
  for (const Use& use : call.uses.each) Changing(use, arguments, frame, pc).reach();
}

bool read_objects(const ChangingCall& call, std::uint64_t* arguments, const std::uint64_t* frame, void* pc) {
  bool comes_back = false;
  for (unsigned i = 0; i < k_uses; ++i)
    comes_back |= Changing(call.uses.each[i], arguments, frame, pc).before(arguments[k_before + i]);
  return comes_back;
}

void write_objects(const ChangingCall& call, std::uint64_t* arguments, const std::uint64_t* frame, void* pc) {
  for (unsigned i = 0; i < k_uses; ++i)
    Changing(call.uses.each[i], arguments, frame, pc).behind(arguments[k_before + i]);
}

// Called with the registers of the arguments in memory, in their order.
extern "C" __attribute__((used)) Continuation reex_at_change(unsigned index, std::uint64_t* arguments,
                                                             const std::uint64_t* frame, void* pc) {
  const ChangingCall& call = table::k_calls[index];
  if (g_real[index] == nullptr) [[unlikely]]
    g_real[index] = find_library_function(call.name);
  if (!is_watched(pc)) return {g_real[index], 0};
  reach_objects(call, arguments, frame, pc);
  return {g_real[index], read_objects(call, arguments, frame, pc)};
}

extern "C" __attribute__((used)) void reex_behind_change(unsigned index, std::uint64_t* arguments,
                                                         const std::uint64_t* frame, void* pc) {
  write_objects(table::k_calls[index], arguments, frame, pc);
}

} // namespace reex

REEX_COMMON_PLACE("reex_call_changing", "reex_at_change", "reex_behind_change")

// The exported functions, numbered as in the table.
#define REEX_CHANGES(function, ...) REEX_TRAMPOLINE(function, "reex_change_index", "reex_call_changing")
#define REEX_CHANGES_TOO(...)
asm(".text\n.set reex_change_index, 0\n"
#include "reex/runtime/accesses/library_objects.def"
);
#undef REEX_CHANGES
#undef REEX_CHANGES_TOO
