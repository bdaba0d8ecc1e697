// Objects of the test that functions of libc and libstdc++ change, as the table library_objects.def says:
// states of random numbers, buffers, streams. The functions' types differ, so each export is a few
// instructions that keep all registers of arguments, tell about the call, call the real function, and tell
// what it has changed.
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "reex/runtime/accesses/library_call.h"
#include "reex/runtime/accesses/trampoline.h"
#include "reex/runtime/order/buffers.h"

namespace reex {
namespace {

enum class Change : std::uint8_t {
  none,
  read,
  read_by_third,
  read_text,
  read_string,
  compared,
  written,
  on_zero,
  on_text,
  counted,
  by_third,
  output,
  input,
  extracted,
  line,
  taken
};

struct Use {
  Change change;
  std::uint8_t argument; // from 1
  std::uint8_t offset;
  std::uint8_t size;
};

constexpr unsigned k_uses = 2;

struct ChangingCall {
  const char* name;
  Use use[k_uses];
};

constexpr ChangingCall k_calls[] = {
#define REEX_CHANGES(function, change, argument, offset, size)                                               \
  {#function, {{Change::change, argument, offset, size}, {Change::none, 1, 0, 0}}},
#define REEX_CHANGES_BOTH(function, change, argument, offset, size, change2, argument2, offset2, size2)      \
  {#function, {{Change::change, argument, offset, size}, {Change::change2, argument2, offset2, size2}}},
#include "reex/runtime/accesses/library_objects.def"
#undef REEX_CHANGES
#undef REEX_CHANGES_BOTH
};

void* g_real[sizeof k_calls / sizeof *k_calls];

constexpr unsigned k_third = 2;
constexpr unsigned k_result = 6; // rax, among the registers of arguments
constexpr unsigned k_before = 7; // the first of the words that are kept until the function has returned

// libstdc++'s streams.
constexpr std::ptrdiff_t k_base_of_stream =
    -24; // from the virtual functions: where the distance to std::ios is
constexpr std::ptrdiff_t k_count_in_input = 8;
constexpr std::ptrdiff_t k_state_in_ios = 32;
constexpr std::ptrdiff_t k_buffer_in_ios = 232;
constexpr std::ptrdiff_t k_input_in_buffer = 16;
constexpr std::ptrdiff_t k_output_in_buffer = 40;

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
  Changing(const Use& use, std::uint64_t* arguments, std::uint64_t& kept, void* pc)
      : m_use(use), m_arguments(arguments), m_kept(kept), m_pc(pc) {}

  void before() const {
    if (place() == nullptr) return;
    switch (m_use.change) {
    case Change::none:
      return;
    case Change::read:
    case Change::read_by_third:
      will_read_buffer(place(), m_pc);
      return reads_buffer(place(), size(), m_pc);
    case Change::read_text:
      will_read_buffer(place(), m_pc);
      return reads_text(place(), m_pc);
    case Change::read_string: {
      will_read_buffer(place(), m_pc);
      const auto string = value_at<String>(place(), 0);
      reads_buffer(place(), sizeof string, m_pc);
      return reads_buffer(string.text, static_cast<long>(string.size), m_pc);
    }
    default:
      will_write_buffer(place(), m_pc);
      m_kept = is_of_stream() ? static_cast<std::uint64_t>(stream_is_good()) : hash();
    }
  }

  void behind() const {
    if (place() == nullptr) return;
    const auto result = m_arguments[k_result];
    switch (m_use.change) {
    case Change::compared:
    case Change::output:
    case Change::input:
      return hash() != m_kept ? receives() : reads_buffer(place(), size(), m_pc);
    case Change::written:
    case Change::by_third:
      return receives();
    case Change::on_zero:
      return static_cast<std::uint32_t>(result) == 0 ? receives() : void();
    case Change::on_text:
      return result == reinterpret_cast<std::uint64_t>(place()) ? receives_text(place(), m_pc) : void();
    case Change::counted:
      return receives_buffer(place(), static_cast<long>(result) * m_use.size, m_pc);
    case Change::extracted:
      return m_kept != 0 ? receives() : void();
    case Change::line: {
      if (m_kept == 0) return;
      const auto string = value_at<String>(place(), 0);
      receives_buffer(place() + sizeof(char*), sizeof string.size, m_pc);
      return receives_buffer(string.text, static_cast<long>(string.size) + 1, m_pc);
    }
    case Change::taken:
      return receives_buffer(place(), value_at<long>(stream(), k_count_in_input), m_pc);
    default:
      return;
    }
  }

private:
  char* argument() const { return reinterpret_cast<char*>(m_arguments[m_use.argument - 1]); }

  char* place() const {
    if (argument() == nullptr) return nullptr;
    if (m_use.change == Change::output) return position_of(argument(), k_output_in_buffer);
    if (m_use.change == Change::input) return position_of(argument(), k_input_in_buffer);
    return argument() + m_use.offset;
  }

  long size() const {
    if (m_use.change == Change::output || m_use.change == Change::input) return sizeof(char*);
    if (m_use.change == Change::by_third || m_use.change == Change::read_by_third)
      return static_cast<long>(m_arguments[k_third]) * m_use.size;
    return m_use.size;
  }

  bool is_of_stream() const { return m_use.change == Change::extracted || m_use.change == Change::line; }

  char* stream() const { return reinterpret_cast<char*>(m_arguments[0]); }

  bool stream_is_good() const { return value_at<std::uint32_t>(ios_of(stream()), k_state_in_ios) == 0; }

  // Of what is compared.
  std::uint64_t hash() const {
    std::uint64_t hash = 0;
    if (m_use.change != Change::by_third)
      for (long i = 0; i < size(); ++i)
        hash = (hash ^ static_cast<unsigned char>(place()[i])) * 0x9e3779b97f4a7c15;
    return hash;
  }

  void receives() const { receives_buffer(place(), size(), m_pc); }

  const Use& m_use;
  std::uint64_t* m_arguments;
  std::uint64_t& m_kept;
  void* m_pc;
};

} // namespace

// Called with the registers of the arguments in memory, in their order.
extern "C" __attribute__((used)) Continuation reex_at_change(unsigned index, std::uint64_t* arguments,
                                                             void* /*frame*/, void* pc) {
  const ChangingCall& call = k_calls[index];
  if (g_real[index] == nullptr) [[unlikely]]
    g_real[index] = find_library_function(call.name);
  if (!is_watched(pc)) return {g_real[index], 0};
  for (unsigned i = 0; i < k_uses; ++i)
    Changing(call.use[i], arguments, arguments[k_before + i], pc).before();
  return {g_real[index], 1};
}

extern "C" __attribute__((used)) void reex_behind_change(unsigned index, std::uint64_t* arguments,
                                                         void* /*frame*/, void* pc) {
  for (unsigned i = 0; i < k_uses; ++i)
    Changing(k_calls[index].use[i], arguments, arguments[k_before + i], pc).behind();
}

} // namespace reex

REEX_COMMON_PLACE("reex_call_changing", "reex_at_change", "reex_behind_change")

// The exported functions, numbered as in the table.
#define REEX_CHANGES(function, ...) REEX_TRAMPOLINE(function, "reex_change_index", "reex_call_changing")
#define REEX_CHANGES_BOTH REEX_CHANGES
asm(".text\n.set reex_change_index, 0\n"
#include "reex/runtime/accesses/library_objects.def"
);
#undef REEX_CHANGES
#undef REEX_CHANGES_BOTH
