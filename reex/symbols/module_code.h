// The machine code of a module's file: its sections, functions and compile units, and where it calls the
// hooks of -fsanitize=thread. Only for files in reex/symbols/.
//
// Lifetime: a ModuleCode refers to the bytes of its Elf. Errors: nothing throws; see is_read().
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <elfutils/libdw.h>
#include <gelf.h>

namespace reex::detail {

struct CodeRange {
  std::uint64_t low;
  std::uint64_t high;
};

struct CodeSection {
  CodeRange range;
  std::string_view bytes;
};

struct CodeFunction {
  CodeRange range;
  std::string_view name; // a zero follows it
  bool is_exported;      // others may call it by its name
};

// Most addresses that are asked for lie outside all that it has.
class AddressSet {
public:
  void add(std::uint64_t address) { m_addresses.push_back(address); }
  void close() { std::sort(m_addresses.begin(), m_addresses.end()); } // before it is asked
  bool contains(std::uint64_t address) const {
    return !m_addresses.empty() && address >= m_addresses.front() && address <= m_addresses.back() &&
           std::binary_search(m_addresses.begin(), m_addresses.end(), address);
  }

private:
  std::vector<std::uint64_t> m_addresses;
};

struct HookCalls {
  AddressSet slots; // where the loader puts the addresses of the hooks
  AddressSet stubs; // addresses whose call is a call of a hook
  std::vector<std::uint64_t> calls;

  bool any_in(const CodeRange& range) const {
    const auto found = std::lower_bound(calls.begin(), calls.end(), range.low);
    return found != calls.end() && *found < range.high;
  }
};

class ModuleCode {
public:
  explicit ModuleCode(Elf* elf);

  bool is_read() const { return m_is_read; } // all of its code

  const std::vector<CodeSection>& sections() const { return m_code; }
  const std::vector<CodeFunction>& functions() const { return m_functions; } // by address
  std::string_view code(const CodeRange& range) const; // empty: it is not in one section

  bool calls_hooks(const CodeRange& range) const { return m_hooks.any_in(range); }
  // Those of loads, stores and atomic operations: not those of a function's begin and end.
  bool calls_hooks_of_accesses(const CodeRange& range) const { return m_access_hooks.any_in(range); }
  // Whether the address is in the module's variables: what can be written once it is loaded.
  bool in_variables(std::uint64_t address) const;

  // Of code that calls no hook, whether it has a call, an atomic instruction, an operand in the module's
  // data, or one behind a pointer. What does not decode is judged by its bytes alone, wherever instructions
  // begin.
  bool may_access(const CodeRange& range) const;

private:
  // Whether the byte looks like the last one of such an instruction's opcode, or like a lock.
  bool looks_like_access(const CodeRange& range, std::string_view bytes, std::size_t at) const;
  bool add_code(Elf_Scn* section, const GElf_Shdr& header);
  void add_data(const char* name, const CodeRange& range);
  void find_slots(Elf_Scn* section, const GElf_Shdr& header);
  void find_functions(Elf_Scn* section, const GElf_Shdr& header);
  void find_stubs(HookCalls& hooks);
  void find_calls(HookCalls& hooks);
  bool in_code(std::uint64_t address) const;
  bool in_data(std::uint64_t address) const;

  Elf* m_elf;
  bool m_is_read = false;
  std::vector<CodeSection> m_code;
  std::vector<CodeRange> m_data;      // that can be written
  std::vector<CodeRange> m_variables; // the same, without what the loader relocates and nobody writes then
  HookCalls m_hooks;
  HookCalls m_access_hooks; // among them
  std::vector<CodeFunction> m_functions;
};

struct CodeUnit {
  Dwarf_Die die;
  std::string source;   // an absolute path
  std::string producer; // the compiler; g++ adds its flags
  std::vector<CodeRange> ranges;
};

// The compile units of a file with debug information.
std::vector<CodeUnit> units_of(Dwarf* dwarf);

// A function of the compiler, the languages' libraries or a test framework, linked statically.
bool is_known_function(std::string_view name);
// The same for the source file of a compile unit.
bool is_known_source(const std::string& path);

} // namespace reex::detail
