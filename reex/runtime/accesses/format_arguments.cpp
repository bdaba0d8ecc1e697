#include "reex/runtime/accesses/format_arguments.h"

#include <cstring>
#include <cwchar>

#include "reex/runtime/order/buffers.h"

namespace reex {
namespace {

constexpr std::size_t k_unlimited = ~std::size_t{0};
constexpr unsigned k_most_arguments = 128;

template <typename Char>
bool is_digit(Char c) {
  return c >= '0' && c <= '9';
}

template <typename Char>
bool is_one_of(Char c, const char* set) {
  return c > 0 && c < 128 && std::strchr(set, static_cast<char>(c)) != nullptr;
}

enum class Length : std::uint8_t { none, character, small, large, longest }; // "", hh, h, l and its kin, L

// One conversion of a format, behind its %. Arguments count from 1; 0: none.
struct Conversion {
  unsigned argument = 0;
  unsigned argument_of_width = 0; // printf's *
  unsigned argument_of_most = 0;  // and .*
  bool allocates = false;         // scanf's m
  std::size_t width = k_unlimited;
  std::size_t most = k_unlimited; // the precision
  Length length = Length::none;
  char kind = '\0'; // S and C are s and c with a length

  bool is_wide() const { return length == Length::large; }
};

// The conversions of a format that have an argument. printf and scanf have the same signs, but for *.
template <typename Char>
class Conversions {
public:
  Conversions(const Char* format, bool scans) : m_at(format), m_scans(scans) {}

  // False: there is no other one, or it is not known.
  bool next(Conversion& found) {
    do {
      while (*m_at != 0 && *m_at != '%') ++m_at;
      if (*m_at == 0) return false;
      ++m_at;
      found = {};
      if (!parse(found)) return false;
    } while (!m_has_argument);
    return found.argument <= k_most_arguments && found.argument_of_width <= k_most_arguments &&
           found.argument_of_most <= k_most_arguments;
  }

private:
  bool parse(Conversion& found) {
    const unsigned named = argument_number();
    bool drops = false;
    if (m_scans && *m_at == '*') {
      drops = true;
      ++m_at;
    }
    while (is_one_of(*m_at, "-+ #0'I")) ++m_at;
    number(found.width, found.argument_of_width);
    if (*m_at == '.') {
      ++m_at;
      found.most = 0;
      number(found.most, found.argument_of_most);
    }
    found.allocates = m_scans && *m_at == 'm';
    if (found.allocates) ++m_at;
    found.length = length();
    if (!is_one_of(*m_at, "diouxXcCpnsS[eEfFgGaA%m")) return false;
    found.kind = static_cast<char>(*m_at++);
    if (is_one_of(found.kind, "SC")) {
      found.kind = found.kind == 'S' ? 's' : 'c';
      found.length = Length::large;
    }
    if (found.kind == '[') {
      if (!m_scans) return false;
      skip_set();
    }
    m_has_argument = !drops && found.kind != '%' && (found.kind != 'm' || m_scans);
    if (m_has_argument) found.argument = named != 0 ? named : ++m_last;
    return true;
  }

  std::size_t digits() {
    std::size_t value = 0;
    for (; is_digit(*m_at); ++m_at) value = value * 10 + static_cast<std::size_t>(*m_at - '0');
    return value;
  }

  // 0: there is none.
  unsigned argument_number() {
    const Char* const begin = m_at;
    const std::size_t value = digits();
    if (*m_at == '$' && m_at != begin) {
      ++m_at;
      return value == 0 || value > k_most_arguments ? k_most_arguments + 1 : static_cast<unsigned>(value);
    }
    m_at = begin;
    return 0;
  }

  void number(std::size_t& value, unsigned& argument) {
    if (*m_at == '*') {
      ++m_at;
      const unsigned named = argument_number();
      argument = named != 0 ? named : ++m_last;
    } else if (is_digit(*m_at)) {
      value = digits();
    }
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
    while (*m_at != 0 && *m_at != ']') ++m_at;
    if (*m_at != 0) ++m_at;
  }

  const Char* m_at;
  bool m_scans;
  bool m_has_argument = false;
  unsigned m_last = 0;
};

// The arguments behind a format, which may be named in any order.
class Values {
public:
  template <typename Char>
  Values(const Char* format, bool scans, std::va_list list) {
    Type types[k_most_arguments] = {};
    unsigned count = 0;
    const auto note = [&](unsigned argument, Type type) {
      if (argument == 0) return;
      types[argument - 1] = type;
      if (argument > count) count = argument;
    };
    Conversions<Char> conversions(format, scans);
    for (Conversion one; conversions.next(one);) {
      note(one.argument_of_width, Type::word);
      note(one.argument_of_most, Type::word);
      note(one.argument, scans ? Type::word : type_of(one));
    }
    std::va_list copy;
    va_copy(copy, list);
    for (unsigned i = 0; i < count; ++i) switch (types[i]) {
      case Type::word:
        m_words[i] = va_arg(copy, std::uint64_t);
        break;
      case Type::number:
        (void)va_arg(copy, double);
        break;
      case Type::long_number:
        (void)va_arg(copy, long double);
      }
    va_end(copy);
  }

  int small(unsigned argument) const { return static_cast<int>(m_words[argument - 1]); }
  char* pointer(unsigned argument) const { return reinterpret_cast<char*>(m_words[argument - 1]); }

private:
  enum class Type : std::uint8_t { word, number, long_number }; // in a register or slot of its own kind

  static Type type_of(const Conversion& one) {
    if (!is_one_of(one.kind, "eEfFgGaA")) return Type::word;
    return one.length == Length::longest ? Type::long_number : Type::number;
  }

  std::uint64_t m_words[k_most_arguments];
};

struct Text {
  const char* begin;
  bool is_wide;

  const wchar_t* wide() const { return reinterpret_cast<const wchar_t*>(begin); }

  // In bytes, with the end of the text if that is among the first `most` characters.
  long size(std::size_t most) const {
    const std::size_t length = is_wide ? wcsnlen(wide(), most) : strnlen(begin, most);
    const std::size_t read = length < most ? length + 1 : most;
    return static_cast<long>(read * (is_wide ? sizeof(wchar_t) : 1));
  }
};

// `visit` gets each text and the most characters that are read of it.
template <typename Char, typename Visit>
void each_text(const Char* format, std::va_list list, Visit visit) {
  const Values values(format, false, list);
  Conversions<Char> conversions(format, false);
  for (Conversion one; conversions.next(one);) {
    if (one.kind != 's') continue;
    if (one.argument_of_most != 0) {
      const int most = values.small(one.argument_of_most);
      one.most = most < 0 ? k_unlimited : static_cast<std::size_t>(most);
    }
    const char* const text = values.pointer(one.argument);
    if (text != nullptr) visit(Text{text, one.is_wide()}, one.most);
  }
}

// 0: it is a text.
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
  if (one.kind == 'c')
    return (one.width == k_unlimited ? 1 : one.width) * (one.is_wide() ? sizeof(wchar_t) : 1);
  return 0;
}

// `visit` gets each result and its conversion.
template <typename Char, typename Visit>
void each_result(const Char* format, std::va_list list, int most, Visit visit) {
  const Values values(format, true, list);
  Conversions<Char> conversions(format, true);
  for (Conversion one; conversions.next(one);) {
    const bool counts = one.kind != 'n';
    if (counts && most-- == 0) return;
    char* const result = values.pointer(one.argument);
    if (result != nullptr) visit(result, one);
  }
}

constexpr int k_all = 1 << 30;

} // namespace

template <typename Char>
void reach_texts(const Char* format, std::va_list arguments, void* pc) {
  if (!is_watched(pc)) return;
  each_text(format, arguments, [pc](const Text& text, std::size_t most) {
    if (most != 0) reach_read(text.begin, pc);
  });
}

template <typename Char>
void read_texts(const Char* format, std::va_list arguments, void* pc) {
  if (!is_watched(pc)) return;
  each_text(format, arguments,
            [pc](const Text& text, std::size_t most) { reads_buffer(text.begin, text.size(most), pc); });
}

template <typename Char>
void reach_results(const Char* format, std::va_list arguments, void* pc) {
  if (!is_watched(pc)) return;
  each_result(format, arguments, k_all,
              [pc](char* result, const Conversion&) { will_write_buffer(result, pc); });
}

template <typename Char>
void write_results(const Char* format, std::va_list arguments, int assigned, void* pc) {
  if (assigned <= 0 || !is_watched(pc)) return;
  each_result(format, arguments, assigned, [pc](char* result, const Conversion& one) {
    const std::size_t size = size_of_result(one);
    receives_buffer(result,
                    size != 0 ? static_cast<long>(size) : Text{result, one.is_wide()}.size(k_unlimited), pc);
  });
}

template void reach_texts(const char*, std::va_list, void*);
template void reach_texts(const wchar_t*, std::va_list, void*);
template void read_texts(const char*, std::va_list, void*);
template void read_texts(const wchar_t*, std::va_list, void*);
template void reach_results(const char*, std::va_list, void*);
template void reach_results(const wchar_t*, std::va_list, void*);
template void write_results(const char*, std::va_list, int, void*);
template void write_results(const wchar_t*, std::va_list, int, void*);

} // namespace reex
