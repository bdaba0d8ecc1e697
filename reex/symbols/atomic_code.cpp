#include "reex/symbols/atomic_code.h"

#include <algorithm>
#include <cstring>
#include <filesystem>

#include <Zydis/Zydis.h>

#include "reex/symbols/exempted_code.h"
#include "reex/symbols/unit_index.h"

namespace reex::detail {
namespace {

constexpr char k_lock = '\xf0';
constexpr char k_exchanges[] = {'\x86', '\x87'}; // with an operand in memory atomic without a prefix
// What clang's -fsanitize=function puts at the begin of a function: a jump over itself, and data.
constexpr std::string_view k_function_type = "\xeb\x06v2";
constexpr std::size_t k_function_type_size = 8;
constexpr unsigned k_two_registers = 3; // the mode of an operand byte

// The last byte at which one may be found; npos: the code has no atomic instruction.
std::size_t last_atomic_byte(std::string_view code) {
  if (memmem(code.data(), code.size(), k_unseen_mark.data(), k_unseen_mark.size()) != nullptr)
    return code.size() - 1;
  std::size_t last = std::string_view::npos;
  const auto search = [&](char byte, const auto& may_be) {
    std::size_t left = code.size();
    while (const void* found = left == 0 ? nullptr : memrchr(code.data(), byte, left)) {
      left = static_cast<std::size_t>(static_cast<const char*>(found) - code.data());
      if (last != std::string_view::npos && left <= last) return;
      if (!may_be(left)) continue;
      last = left;
      return;
    }
  };
  search(k_lock, [](std::size_t) { return true; });
  for (const char exchange : k_exchanges)
    search(exchange, [&](std::size_t at) {
      return at + 1 < code.size() && static_cast<unsigned char>(code[at + 1]) >> 6 != k_two_registers;
    });
  return last;
}

// lock or $0, (%rsp) and its kin.
bool is_fence(const ZydisDecodedInstruction& instruction) {
  switch (instruction.mnemonic) {
  case ZYDIS_MNEMONIC_ADD:
  case ZYDIS_MNEMONIC_SUB:
  case ZYDIS_MNEMONIC_OR:
  case ZYDIS_MNEMONIC_XOR:
    return instruction.raw.imm[0].size != 0 && instruction.raw.imm[0].value.u == 0;
  default:
    return false;
  }
}

bool is_atomic(const ZydisDecodedInstruction& instruction) {
  if (instruction.mnemonic == ZYDIS_MNEMONIC_XCHG)
    return (instruction.attributes & ZYDIS_ATTRIB_HAS_MODRM) != 0 &&
           instruction.raw.modrm.mod != k_two_registers;
  return (instruction.attributes & ZYDIS_ATTRIB_HAS_LOCK) != 0 && !is_fence(instruction);
}

bool synchronizes(const ZydisDecodedInstruction& instruction) {
  switch (instruction.mnemonic) {
  case ZYDIS_MNEMONIC_MFENCE:
  case ZYDIS_MNEMONIC_SYSCALL:
  case ZYDIS_MNEMONIC_SYSENTER:
  case ZYDIS_MNEMONIC_INT:
    return true;
  default:
    return is_atomic(instruction) || (instruction.attributes & ZYDIS_ATTRIB_HAS_LOCK) != 0;
  }
}

class Decoder {
public:
  Decoder() { ZydisDecoderInit(&m_decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64); }

  bool may_synchronize(std::string_view code) const {
    bool found = false;
    walk(code, code.size(), [&](std::size_t, const ZydisDecodedInstruction& instruction) {
      found = synchronizes(instruction);
      return !found;
    });
    return found;
  }

  // Calls visit(offset) for each atomic instruction without a hook, and each mark, that begins before `end`.
  template <typename Visit>
  void each_atomic(std::string_view code, std::size_t end, const Visit& visit) const {
    walk(code, end, [&](std::size_t at, const ZydisDecodedInstruction& instruction) {
      const bool is_unseen = code.substr(at).starts_with(k_unseen_mark);
      if (is_unseen || (is_atomic(instruction) && !code.substr(0, at).ends_with(k_hook_mark))) visit(at);
      return true;
    });
  }

private:
  // Bytes that are no instruction are skipped one by one. `visit` returns whether to go on.
  template <typename Visit>
  void walk(std::string_view code, std::size_t end, const Visit& visit) const {
    ZydisDecodedInstruction instruction;
    for (std::size_t i = 0; i < end;) {
      if (code.substr(i).starts_with(k_function_type)) {
        i += k_function_type_size;
        continue;
      }
      const bool is_one = ZYAN_SUCCESS(
          ZydisDecoderDecodeInstruction(&m_decoder, nullptr, code.data() + i, code.size() - i, &instruction));
      if (is_one && !visit(i, instruction)) return;
      i += is_one ? instruction.length : 1;
    }
  }

  ZydisDecoder m_decoder;
};

// Names the places of one module.
class Places {
public:
  Places(const ModuleCode& module, const std::vector<CodeUnit>& units, std::size_t at_most)
      : m_module(module), m_at_most(at_most) {
    for (const CodeUnit& unit : units) {
      const bool counts = !is_known_source(unit.source) && is_instrumented(unit);
      for (const CodeRange& range : unit.ranges) m_parts.push_back({range, &unit, counts});
    }
    std::sort(m_parts.begin(), m_parts.end(),
              [](const Part& a, const Part& b) { return a.range.low < b.range.low; });
  }

  bool is_full() const { return m_found.size() >= m_at_most; }

  // Whether an atomic instruction somewhere in the function would get a name.
  bool may_count(const CodeFunction& function) const {
    const auto behind = behind_of(function.range.low);
    if (const Part* part = part_of(function.range.low); part != nullptr)
      return part->counts || part->range.high < function.range.high;
    return counts_without_unit(function) ||
           (behind != m_parts.end() && behind->range.low < function.range.high);
  }

  // Of a function whose unit is known, and instrumented.
  std::optional<std::size_t> exempted_access(const CodeFunction& function) const {
    const Part* part = part_of(function.range.low);
    // What the compiler makes of its own accord reads tables of virtual functions. reex has headers of its
    // own.
    const bool is_known = function.name.starts_with("_ZT") || function.name.starts_with("_ZN4reex");
    if (part == nullptr || !part->counts || is_known) return {};
    return detail::exempted_access(m_module, function, part->unit->producer.starts_with("GNU"));
  }

  void add(const CodeFunction& function, std::uint64_t address) {
    const Part* part = part_of(address);
    if (part != nullptr ? !part->counts : !counts_without_unit(function)) return;
    std::string place = part != nullptr ? line_of(part->unit->die, address) : "";
    if (place.empty()) place = demangled(function.name.data());
    if (!is_full() && std::find(m_found.begin(), m_found.end(), place) == m_found.end())
      m_found.push_back(place);
  }

  std::vector<std::string> take() { return std::move(m_found); }

private:
  struct Part {
    CodeRange range;
    const CodeUnit* unit;
    bool counts; // it is instrumented, and the user's
  };

  std::vector<Part>::const_iterator behind_of(std::uint64_t address) const {
    return std::upper_bound(m_parts.begin(), m_parts.end(), address,
                            [](std::uint64_t low, const Part& part) { return low < part.range.low; });
  }

  const Part* part_of(std::uint64_t address) const {
    const auto behind = behind_of(address);
    return behind != m_parts.begin() && address < std::prev(behind)->range.high ? &*std::prev(behind)
                                                                                : nullptr;
  }

  bool is_instrumented(const CodeUnit& unit) const {
    return unit.producer.find("-fsanitize=thread") != std::string::npos ||
           std::any_of(unit.ranges.begin(), unit.ranges.end(),
                       [&](const CodeRange& range) { return m_module.calls_hooks(range); });
  }

  static std::string line_of(Dwarf_Die unit, std::uint64_t address) {
    Dwarf_Line* line = dwarf_getsrc_die(&unit, address);
    int number = 0;
    const char* file = line == nullptr ? nullptr : dwarf_linesrc(line, nullptr, nullptr);
    if (file == nullptr || dwarf_lineno(line, &number) != 0) return "";
    return std::filesystem::path(file).filename().string() + ":" + std::to_string(number);
  }

  bool counts_without_unit(const CodeFunction& function) const {
    return !is_of_a_library(function) && !is_plain(function);
  }

  // Without debug information. A template of the library may have code of the user in it: then it has hooks,
  // or a name of his function (Z, a local entity).
  bool is_of_a_library(const CodeFunction& function) const {
    return function.name != "main" && is_known_function(function.name) &&
           !m_module.calls_hooks(function.range) && function.name.find('Z', 2) == std::string::npos;
  }

  // The same, of an object without hooks: plain_code() names it.
  bool is_plain(const CodeFunction& function) const {
    return function.is_exported && !is_known_function(function.name) && !m_module.calls_hooks(function.range);
  }

  const ModuleCode& m_module;
  std::size_t m_at_most;
  std::vector<Part> m_parts; // of the units, by address
  std::vector<std::string> m_found;
};

} // namespace

bool may_synchronize(std::string_view code) { return Decoder().may_synchronize(code); }

std::vector<std::string> atomic_code(const ModuleCode& module, const std::vector<CodeUnit>& units,
                                     const std::string& whole, std::size_t at_most) {
  const Decoder decoder;
  Places places(module, units, at_most);
  const auto look = [&](const CodeFunction& function) {
    if (places.is_full()) return;
    const std::string_view code = module.code(function.range);
    const std::size_t last = last_atomic_byte(code);
    if (!places.may_count(function)) return;
    if (last != std::string_view::npos)
      decoder.each_atomic(code, last + 1,
                          [&](std::size_t at) { places.add(function, function.range.low + at); });
    if (const auto at = places.exempted_access(function); at) places.add(function, function.range.low + *at);
  };
  for (const CodeFunction& function : module.functions()) look(function);
  // Of a stripped file: its sections, as if each were one function.
  if (module.functions().empty())
    for (const CodeSection& section : module.sections()) look({section.range, whole, false});
  return places.take();
}

} // namespace reex::detail
