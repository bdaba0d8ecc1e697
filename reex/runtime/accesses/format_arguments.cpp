#include "reex/runtime/accesses/format_arguments.h"

#include <cstring>

#include "reex/runtime/order/buffers.h"

namespace reex {
namespace {

constexpr std::size_t k_unlimited = ~std::size_t{0};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_one_of(char c, const char* set) { return c != '\0' && std::strchr(set, c) != nullptr; }

enum class Length : std::uint8_t { none, character, small, large, longest }; // "", hh, h, l and its kin, L

// One conversion of a format, behind its %.
struct Conversion {
  bool drops = false;       // scanf's *
  bool takes_width = false; // printf's *
  bool takes_most = false;  // and .*
  bool allocates = false;   // scanf's m
  std::size_t width = k_unlimited;
  std::size_t most = k_unlimited; // the precision
  Length length = Length::none;
  char kind = '\0';
};

// The conversions of a format, and the arguments behind it. printf and scanf have the same signs, but for *.
class Arguments {
public:
  Arguments(const char* format, std::va_list list) : m_at(format) { va_copy(m_list, list); }
  ~Arguments() { va_end(m_list); }
  Arguments(const Arguments&) = delete;
  Arguments& operator=(const Arguments&) = delete;

  // False: there is no other one, or it is not known.
  bool next(Conversion& found, bool scans) {
    do {
      m_at = std::strchr(m_at, '%');
      if (m_at == nullptr) return false;
      ++m_at;
      found = {};
      if (scans && *m_at == '*') {
        found.drops = true;
        ++m_at;
      }
      while (is_one_of(*m_at, "-+ #0'I")) ++m_at;
      found.takes_width = number(found.width);
      if (*m_at == '$') return false;
      if (*m_at == '.') {
        ++m_at;
        found.most = 0;
        found.takes_most = number(found.most);
      }
      found.allocates = scans && *m_at == 'm';
      if (found.allocates) ++m_at;
      found.length = length();
      found.kind = *m_at;
      if (found.kind == '\0') return false;
      ++m_at;
      if (scans && found.kind == '[') skip_set();
    } while (found.kind == '%' || (found.kind == 'm' && !scans));
    return true;
  }

  // In a register or a slot of eight bytes, whatever their type.
  std::uint64_t word() { return va_arg(m_list, std::uint64_t); }
  int small() { return static_cast<int>(word()); }
  char* pointer() { return va_arg(m_list, char*); }
  void skip_float(Length length) {
    if (length == Length::longest)
      (void)va_arg(m_list, long double);
    else
      (void)va_arg(m_list, double);
  }

private:
  // True: an argument has it.
  bool number(std::size_t& value) {
    if (*m_at == '*') {
      ++m_at;
      return true;
    }
    if (is_digit(*m_at))
      for (value = 0; is_digit(*m_at); ++m_at) value = value * 10 + static_cast<std::size_t>(*m_at - '0');
    return false;
  }

  Length length() {
    Length found = Length::none;
    for (; is_one_of(*m_at, "hlqLjzZt"); ++m_at) switch (*m_at) {
      case 'h':
        found = found == Length::small ? Length::character : Length::small;
        break;
      case 'L':
        found = Length::longest;
        break;
      default:
        found = Length::large;
      }
    return found;
  }

  void skip_set() {
    if (*m_at == '^') ++m_at;
    if (*m_at == ']') ++m_at;
    m_at = std::strchr(m_at, ']');
    m_at = m_at == nullptr ? "" : m_at + 1;
  }

  const char* m_at;
  std::va_list m_list;
};

// `visit` gets each text and the most bytes that are read of it.
template <typename Visit>
void each_text(const char* format, std::va_list list, Visit visit) {
  Arguments arguments(format, list);
  for (Conversion one; arguments.next(one, false);) {
    if (one.takes_width) arguments.word();
    if (one.takes_most) {
      const int most = arguments.small();
      one.most = most < 0 ? k_unlimited : static_cast<std::size_t>(most);
    }
    if (is_one_of(one.kind, "diouxXcCpnS")) {
      arguments.word();
    } else if (is_one_of(one.kind, "eEfFgGaA")) {
      arguments.skip_float(one.length);
    } else if (one.kind == 's') {
      const char* const text = arguments.pointer();
      if (text != nullptr && one.length == Length::none) visit(text, one.most);
    } else {
      return;
    }
  }
}

// 0: it is a text, or nothing is known.
std::size_t size_of_result(const Conversion& one) {
  if (one.allocates) return sizeof(char*);
  if (is_one_of(one.kind, "diouxXn")) {
    constexpr std::size_t k_sizes[] = {sizeof(int), sizeof(char), sizeof(short), sizeof(long), sizeof(long)};
    return k_sizes[static_cast<unsigned>(one.length)];
  }
  if (is_one_of(one.kind, "eEfFgGaA"))
    return one.length == Length::longest ? sizeof(long double)
           : one.length == Length::large ? sizeof(double)
                                         : sizeof(float);
  if (one.kind == 'p') return sizeof(void*);
  if (one.kind == 'c' && one.length == Length::none) return one.width == k_unlimited ? 1 : one.width;
  return 0;
}

// `visit` gets each result and its size; a text has the size 0.
template <typename Visit>
void each_result(const char* format, std::va_list list, int most, Visit visit) {
  Arguments arguments(format, list);
  for (Conversion one; arguments.next(one, true);) {
    if (one.drops) continue;
    const bool counts = one.kind != 'n';
    if (counts && most-- == 0) return;
    const bool is_text = is_one_of(one.kind, "s[") && one.length == Length::none && !one.allocates;
    const std::size_t size = size_of_result(one);
    char* const result = arguments.pointer();
    if (result != nullptr && (is_text || size != 0)) visit(result, is_text ? 0 : size);
  }
}

constexpr int k_all = 1 << 30;

} // namespace

void reach_texts(const char* format, std::va_list arguments, void* pc) {
  if (!is_watched(pc)) return;
  each_text(format, arguments, [pc](const char* text, std::size_t most) {
    if (most != 0) reach_read(text, pc);
  });
}

void read_texts(const char* format, std::va_list arguments, void* pc) {
  if (!is_watched(pc)) return;
  each_text(format, arguments, [pc](const char* text, std::size_t most) {
    const std::size_t length = strnlen(text, most);
    watch_read(text, length < most ? length + 1 : most, pc);
  });
}

void reach_results(const char* format, std::va_list arguments, void* pc) {
  if (!is_watched(pc)) return;
  each_result(format, arguments, k_all, [pc](char* result, std::size_t) { will_write_buffer(result, pc); });
}

void write_results(const char* format, std::va_list arguments, int assigned, void* pc) {
  if (assigned <= 0 || !is_watched(pc)) return;
  each_result(format, arguments, assigned, [pc](char* result, std::size_t size) {
    receives_buffer(result, static_cast<long>(size != 0 ? size : std::strlen(result) + 1), pc);
  });
}

} // namespace reex
