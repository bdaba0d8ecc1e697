#include "reex/hooks/assembler/announce.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "reex/hooks/assembler/instruction.h"
#include "reex/hooks/assembler/result_place.h"
#include "reex/hooks/assembler/routine.h"
#include "reex/hooks/assembler/users_assembly.h"
#include "reex/hooks/assembler/values.h"

namespace reex {
namespace {

constexpr std::string_view k_hook = "__tsan_";
constexpr std::string_view k_atomic_hook = "__tsan_atomic";
constexpr std::string_view k_entry = "__tsan_func_entry";
constexpr std::int64_t k_most_of_range = 256; // bytes that a hook of a range is taken to name
// Code that computes adds registers up again and again: each name would be as long as two others together.
constexpr std::size_t k_longest_name = 200;

constexpr std::array<std::string_view, 9> k_of_caller{"%rax", "%rcx", "%rdx", "%rsi", "%rdi",
                                                      "%r8",  "%r9",  "%r10", "%r11"};
constexpr std::array<std::string_view, 14> k_passed{"%rdi",  "%rsi",  "%rdx",  "%rcx",  "%r8",
                                                    "%r9",   "%xmm0", "%xmm1", "%xmm2", "%xmm3",
                                                    "%xmm4", "%xmm5", "%xmm6", "%xmm7"};
constexpr std::array<std::string_view, 4> k_returned{"%rax", "%rdx", "%xmm0", "%xmm1"};

struct Access {
  std::size_t line;
  std::string_view operand;
  HookOf hook;
  Value place = {};          // on the stack; elsewhere without a name
  bool may_be_named = false; // by a hook whose address is not known
  Below below = Below::nothing;
};

struct Named { // by a hook
  Value address;
  std::int64_t bytes;
};

// Registers that a routine keeps only if it is told to.
bool uses_more_than_sse(std::string_view line, const Instruction& instruction) {
  if (instruction.mnemonic.front() == 'f') return true; // x87
  for (std::size_t i = line.find('%'); i != std::string_view::npos; i = line.find('%', i + 1)) {
    const std::string_view name = line.substr(i + 1);
    if (name.starts_with("ymm") || name.starts_with("zmm") || name.starts_with("k")) return true;
    unsigned number = 0;
    if (name.starts_with("xmm")) std::from_chars(name.data() + 3, name.data() + name.size(), number);
    if (number > 15) return true;
  }
  return false;
}

class Announcer {
public:
  explicit Announcer(std::string_view assembly) {
    while (!assembly.empty()) {
      const std::size_t end = std::min(assembly.find('\n'), assembly.size() - 1);
      m_lines.push_back(assembly.substr(0, end + 1));
      assembly.remove_prefix(end + 1);
    }
  }

  std::string result() {
    for (m_line = 0; m_line < m_lines.size(); ++m_line) take_line(m_lines[m_line]);
    end_function();
    return with_hooks();
  }

private:
  void take_line(std::string_view line) {
    if (line.starts_with("#APP")) begin_users();
    if (line.starts_with("#NO_APP")) end_users();
    if (m_is_the_users || line.find(';') != std::string_view::npos) return forget(); // several, or a string
    if (begins_function(line)) {
      end_function();
      begin_function();
    }
    if (line.find(".cfi_endproc") != std::string_view::npos || line.starts_with("\t.size\t"))
      m_is_in_function = false;
    const Instruction instruction = parse_instruction(line);
    if (instruction.mnemonic.empty()) {
      if (may_be_target(line)) {
        forget();
        if (std::exchange(m_begins, false)) take_arguments();
      }
      return take_frame(line);
    }
    m_uses_all = m_uses_all || uses_more_than_sse(line, instruction);
    if (m_is_exempted) take_exempted(line, instruction);
    take(instruction);
  }

  // Whether an instruction of strings stays on the function's own stack.
  bool repeats_on_stack(const Instruction& instruction) {
    if (!instruction.mnemonic.starts_with("rep") || instruction.operands.size() != 1) return false;
    const std::string_view what = instruction.operands.front();
    const bool reads = !what.starts_with("stos") && !what.starts_with("scas");
    const bool writes = !what.starts_with("lods");
    return (!reads || m_values.in("%rsi").is_on_stack()) && (!writes || m_values.in("%rdi").is_on_stack());
  }

  void take_exempted(std::string_view line, const Instruction& instruction) {
    if (repeats_on_stack(instruction)) return;
    for (const std::string_view operand : instruction.operands) {
      MemoryOperand memory;
      if (!parse_memory(operand, memory)) continue;
      if (is_constant(memory.displacement) || m_values.address_of(memory).is_on_stack()) return;
      // Any other function that calls has hooks where it begins and ends.
      if (!m_result_place.calls &&
          is_in_result_place(m_values.address_of(memory), bytes_of_write(instruction)))
        return;
    }
    if (UsersHooks hooks = hooks_of_exempted(line, below()); !hooks.text.empty())
      m_exempted.insert_or_assign(m_line, std::move(hooks));
  }

  void begin_users() {
    m_is_the_users = true;
    m_users_begin = m_line + 1;
  }
  // Assembly beside functions is a function of the user's own, of whose stack nothing is known.
  void end_users() {
    m_is_the_users = false;
    if (!m_is_in_function) return;
    const auto block = std::span(m_lines).subspan(m_users_begin, m_line - m_users_begin);
    UsersHooks hooks = hooks_of_users(block, below());
    if (hooks.text.empty()) return;
    for (const std::string_view line : hooks.has_hooks() ? block : std::span<const std::string_view>{})
      if (const Instruction instruction = parse_instruction(line); !instruction.mnemonic.empty())
        m_uses_all = m_uses_all || uses_more_than_sse(line, instruction);
    m_users.insert_or_assign(m_users_begin, std::pair(m_line, std::move(hooks)));
  }

  static bool begins_function(std::string_view line) {
    return line.find("@function") != std::string_view::npos && line.find(".cold") == std::string_view::npos;
  }
  void begin_function() {
    std::size_t end = m_line + 1;
    while (end < m_lines.size() && !begins_function(m_lines[end])) ++end;
    const auto function = std::span(m_lines).subspan(m_line, end - m_line);
    m_result_place = result_place_of(function);
    m_is_exempted = is_exempted(function);
    m_begin = m_line;
    m_begins = true;
    m_is_in_function = true;
  }
  // What the compiler makes of its own accord reads tables of virtual functions. What reex's own headers
  // exempt is no communication of the test.
  static bool is_exempted(std::span<const std::string_view> function) {
    const auto is_named = [&](std::string_view begin) {
      return function.front().find(begin) != std::string_view::npos;
    };
    return !is_named("\t_ZT") && !is_named("\t_ZN4reex") &&
           std::none_of(function.begin(), function.end(),
                        [](std::string_view line) { return line.find(k_hook) != std::string_view::npos; });
  }
  // Pointers that are passed point to nothing on the function's own stack.
  void take_arguments() {
    for (const std::string_view name : k_passed)
      if (!name.starts_with("%xmm"))
        m_values.set(name, {.name = "%passed in " + std::string(name), .offset = 0});
  }

  void take_frame(std::string_view line) {
    const auto ends_with_depth = [&](std::string_view directive) {
      if (line.find(directive) == std::string_view::npos) return false;
      const std::size_t digits = line.find_last_not_of("0123456789\n") + 1;
      std::from_chars(line.data() + digits, line.data() + line.size(), m_values.depth);
      return true;
    };
    if (line.find(".cfi_startproc") != std::string_view::npos) {
      m_values.depth = 8;
      m_has_cfi = m_is_in_function = true;
    }
    if (line.find(".cfi_remember_state") != std::string_view::npos) m_depths.push_back(m_values.depth);
    if (line.find(".cfi_restore_state") != std::string_view::npos && !m_depths.empty()) {
      m_values.depth = m_depths.back();
      m_depths.pop_back();
    }
    if (!ends_with_depth(".cfi_def_cfa_offset")) ends_with_depth(".cfi_def_cfa 7,");
  }

  // Of the stack, others see only variables whose address is taken. Those lie above the spilled registers.
  // With a frame pointer the code may be that of -O0, where spilled registers are variables, too: there, all
  // accesses to those that others see, but the ones that calls make, have hooks.
  void end_function() {
    for (const Access& access : m_on_stack) {
      const auto taken = m_taken.lower_bound({.name = access.place.name, .offset = INT64_MIN});
      if (taken != m_taken.end() && taken->name == access.place.name &&
          taken->offset <= access.place.offset &&
          !(access.place.is_framed() && m_plain.count(access.place) != 0))
        m_hooks.insert_or_assign(access.line, access);
    }
    m_on_stack.clear();
    m_taken.clear();
    m_plain.clear();
    m_has_hooks = m_has_cfi = m_values.has_frame = false;
  }

  // A label, or code that is not understood: anything may be everywhere.
  void forget() {
    m_values.forget();
    m_named.clear();
    m_names_unknown = false;
    end_call();
    m_returned.clear();
    m_result = {};
    m_of_result.clear();
  }
  void end_call() {
    m_loads.clear();
    m_outgoing.clear();
  }

  static Value on_stack(const Value& address) { return address.is_on_stack() ? address : Value{}; }
  // No variable that changes: a constant of the compiler, or a word of the linker.
  static bool is_constant(std::string_view operand) {
    return operand.starts_with(".L") || operand.find('@') != std::string_view::npos;
  }

  static bool touches(const Named& named, const Value& address, unsigned bytes) {
    return named.address.name == address.name && address.offset < named.address.offset + named.bytes &&
           named.address.offset < address.offset + bytes;
  }
  bool is_partly_named(const Value& address, unsigned bytes) const {
    return std::any_of(m_named.begin(), m_named.end(),
                       [&](const Named& named) { return touches(named, address, bytes); });
  }
  // Each byte. After `if (x.first) use(x)`, a load of the whole of x has a hook for its first member only.
  bool is_named(Value address, unsigned bytes) const {
    const std::int64_t end = address.offset + bytes;
    while (address.offset < end) {
      const auto found = std::find_if(m_named.begin(), m_named.end(),
                                      [&](const Named& named) { return touches(named, address, 1); });
      if (found == m_named.end()) return false;
      address.offset = found->address.offset + found->bytes;
    }
    return true;
  }

  void take(const Instruction& instruction) {
    const std::string_view mnemonic = instruction.mnemonic;
    const auto& operands = instruction.operands;
    if (mnemonic == "call" && operands.size() == 1) return take_call(operands[0]);
    if (mnemonic.starts_with("cmp") || mnemonic.starts_with("test") || mnemonic.starts_with("j") ||
        mnemonic.starts_with("nop"))
      return;
    MemoryOperand memory;
    if (mnemonic == "pushq" && parse_memory(operands[0], memory)) return push(memory, operands[0]);
    if (mnemonic == "pushq") return pass(whole_register(operands[0]));
    if (mnemonic == "rep" && operands.size() == 1) return repeat(operands[0]);
    for (const std::string_view name : implicitly_written(instruction)) overwrite(name);
    if (operands.empty()) return;
    const std::string_view to = whole_register(operands.back());
    const std::string_view from =
        operands.size() >= 2 ? whole_register(operands[operands.size() - 2]) : std::string_view{};
    if (parse_memory(operands.back(), memory)) return store(instruction, memory, from);
    if (to.empty()) return;
    for (std::size_t i = 0; i + 1 < operands.size(); ++i)
      if (parse_memory(operands[i], memory)) return load(instruction, operands[i], memory, to);
    change(instruction, from, to);
  }

  void take_call(std::string_view target) {
    // With -fno-plt: *name@GOTPCREL(%rip).
    if (target.find("@GOTPCREL") != std::string_view::npos)
      target.remove_prefix(target.find_first_not_of('*'));
    target = target.substr(0, target.find('@'));
    if (target == k_entry) m_has_hooks = true;
    const bool is_hook = target.starts_with(k_hook) && !target.starts_with(k_atomic_hook);
    if (is_hook)
      note_hook(target.substr(k_hook.size()));
    else if (m_has_hooks)
      say_passed();
    end_call();
    m_returned.clear();
    m_result = {};
    m_of_result.clear();
    const Value result = on_stack(m_values.in("%rdi"));
    for (const std::string_view name : k_of_caller) m_values.erase(name);
    if (is_hook) return;
    m_result = result;
    m_named.clear();
    m_names_unknown = false;
    m_values.forget_slots();
    for (const std::string_view name : k_returned) m_returned.insert(std::string(name));
  }

  void note_hook(std::string_view name) {
    const bool is_access = name.find("read") != std::string_view::npos ||
                           name.find("write") != std::string_view::npos || name.starts_with("vptr");
    if (!is_access) return;
    const std::size_t digits = name.find_last_not_of("0123456789") + 1;
    std::int64_t bytes = name.ends_with("range") ? k_most_of_range : 8;
    std::from_chars(name.data() + digits, name.data() + name.size(), bytes);
    m_named.push_back({m_values.in("%rdi"), bytes});
    m_names_unknown |= m_named.back().address.is_unknown();
  }

  void say_passed() {
    for (const std::string_view name : k_passed) pass(name);
    for (const Access& access : m_outgoing) say(access);
  }
  void say(const Access& access) {
    if (access.place.name.empty())
      m_hooks.insert_or_assign(access.line, access);
    else
      m_on_stack.push_back(access);
  }
  // Both are in the order of the lines. A sum of sums comes from the same load in many ways.
  static void add(std::vector<Access>& loads, const std::vector<Access>& more) {
    const auto middle = static_cast<std::ptrdiff_t>(loads.size());
    loads.insert(loads.end(), more.begin(), more.end());
    std::inplace_merge(loads.begin(), loads.begin() + middle, loads.end(), is_before);
    loads.erase(std::unique(loads.begin(), loads.end(), is_same), loads.end());
  }
  static bool is_before(const Access& a, const Access& b) { return a.line < b.line; }
  static bool is_same(const Access& a, const Access& b) { return a.line == b.line; }
  // A value from the stack is used otherwise than by a call.
  void note_use(const std::vector<Access>& loads) {
    for (const Access& access : loads)
      if (!access.place.name.empty() && !access.may_be_named) m_plain.insert(access.place);
  }

  // A call leaves a large object where its caller says, here on the stack, from where it is copied.
  bool is_result(const Value& address) const {
    return !m_result.name.empty() && address.name == m_result.name && address.offset >= m_result.offset;
  }

  bool is_loaded_without_hook(const MemoryOperand& memory, const Value& address, unsigned bytes) const {
    return bytes != 0 && !is_constant(memory.displacement) && !is_named(address, bytes);
  }

  void push(const MemoryOperand& memory, std::string_view operand) {
    const Value address = m_values.address_of(memory);
    if (is_loaded_without_hook(memory, address, 8))
      m_outgoing.push_back(
          {m_line, operand, {.writes = false, .repeats = false, .bytes = 8}, on_stack(address)});
  }
  void pass(std::string_view name) {
    if (const auto loads = m_loads.find(std::string(name)); loads != m_loads.end())
      add(m_outgoing, loads->second);
  }

  // Large objects are copied so, from rsi to rdi, as many words as rcx says; or filled.
  void repeat(std::string_view what) {
    const unsigned bytes = what.ends_with('q') ? 8 : what.ends_with('l') ? 4 : what.ends_with('b') ? 1 : 0;
    const bool copies = bytes > 1 && what.starts_with("movs");
    const Value from = m_values.in("%rsi");
    const Value to = m_values.in("%rdi");
    const Access written{.line = m_line,
                         .operand = "(%rdi)",
                         .hook = {.writes = true, .repeats = true, .bytes = bytes},
                         .below = below()};
    if (m_has_hooks && copies && is_result(from) && !to.is_on_stack())
      m_hooks.insert_or_assign(m_line, written);
    else if ((copies || what.starts_with("stos")) && is_in_result_place(to, bytes))
      say(written);
    if (copies && to.is_on_stack() && !from.is_on_stack() && !is_named(from, bytes))
      m_outgoing.push_back(
          {.line = m_line, .operand = "(%rsi)", .hook = {.writes = false, .repeats = true, .bytes = bytes}});
    for (const std::string_view name : {"%rsi", "%rdi", "%rcx"}) overwrite(name);
  }

  // The compiler takes an object that the function returns in memory for one that nobody else sees.
  bool is_in_result_place(const Value& address, unsigned bytes) const {
    return bytes != 0 && m_result_place.writes.count(m_line - m_begin) != 0 &&
           !is_partly_named(address, bytes);
  }
  Below below() const {
    if (m_result_place.calls) return Below::nothing;
    return m_has_cfi && !m_values.has_frame ? Below::red_zone_of_cfa : Below::red_zone;
  }

  void store(const Instruction& instruction, const MemoryOperand& memory, std::string_view from) {
    const unsigned bytes = bytes_of_move(instruction);
    const Value address = m_values.address_of(memory);
    const bool is_returned = m_returned.count(std::string(from)) != 0 ||
                             (m_of_result.count(std::string(from)) != 0 && !address.is_on_stack());
    const Access written{.line = m_line,
                         .operand = instruction.operands.back(),
                         .hook = {.writes = true, .repeats = false, .bytes = bytes},
                         .place = on_stack(address),
                         .below = below()};
    if (m_has_hooks && bytes != 0 && is_returned && !is_constant(memory.displacement))
      say(written);
    else if (is_past_cache(instruction)) // by an intrinsic, which is a call to the compiler
      say(written);
    else if (const unsigned all = bytes_of_write(instruction); is_in_result_place(address, all))
      say({.line = m_line,
           .operand = written.operand,
           .hook = {.writes = true, .repeats = false, .bytes = all},
           .below = below()});
    else if (address.is_on_stack() && !m_names_unknown && !is_partly_named(address, bytes))
      m_plain.insert(address);
    if (!address.is_on_stack()) return;
    m_values.erase_slot(address);
    if (from.empty()) return;
    if (instruction.mnemonic == "movq" && !from.starts_with("%xmm"))
      m_values.set_slot(address, m_values.in(from));
    pass(from);
  }

  // What the registers among the operands come from.
  std::vector<Access> loads_of(const std::vector<std::string_view>& operands) const {
    std::vector<Access> loads;
    for (const std::string_view operand : operands)
      if (const auto found = m_loads.find(std::string(whole_register(operand))); found != m_loads.end())
        add(loads, found->second);
    return loads;
  }

  void load(const Instruction& instruction, std::string_view operand, const MemoryOperand& memory,
            std::string_view to) {
    const unsigned bytes = bytes_of_move(instruction);
    const Value address = m_values.address_of(memory);
    std::vector<Access> loads;
    // An operation with an operand in memory, or into a part of the register: the rest stays.
    if (bytes == 0 || moves_part(instruction)) loads = loads_of(instruction.operands);
    if (moves_part(instruction)) m_loads.erase(std::string(to));
    if (is_loaded_without_hook(memory, address, bytes))
      loads.push_back({m_line,
                       operand,
                       {.writes = false, .repeats = false, .bytes = bytes},
                       on_stack(address),
                       m_names_unknown});
    Value value = m_values.fresh();
    if (instruction.mnemonic == "leaq") {
      if (address.name.size() <= k_longest_name) value = address;
      loads.clear();
      if (address.is_on_stack()) m_taken.insert(address);
    } else if (memory.displacement.ends_with("@GOTPCREL")) {
      value = {.name = std::string(memory.displacement.substr(0, memory.displacement.find('@')))};
    } else if (instruction.mnemonic == "movq" && address.is_on_stack()) {
      value = m_values.loaded(address);
    }
    overwrite(to);
    m_values.set(to, value);
    if (bytes != 0 && is_result(address)) m_of_result.insert(std::string(to));
    if (!loads.empty()) m_loads.insert_or_assign(std::string(to), loads);
  }

  void overwrite(std::string_view name) {
    m_values.erase(name);
    if (const auto loads = m_loads.find(std::string(name)); loads != m_loads.end()) {
      note_use(loads->second);
      m_loads.erase(loads);
    }
    m_returned.erase(std::string(name));
    m_of_result.erase(std::string(name));
  }

  // A register changes by what is in another one, or by a constant.
  void change(const Instruction& instruction, std::string_view from, std::string_view to) {
    const std::string_view constant =
        instruction.operands.front().starts_with('$') ? instruction.operands.front().substr(1) : "";
    const bool is_move = bytes_of_move(instruction) != 0 && instruction.operands.size() == 2;
    const bool is_sum = instruction.mnemonic == "addq" || instruction.mnemonic == "subq";
    if (instruction.mnemonic == "movq" && from == "%rsp" && to == "%rbp") m_values.has_frame = true;
    Value value = m_values.fresh();
    if (is_move && !constant.empty()) {
      value = value_of_text(constant);
      if (value.name.empty()) value = m_values.fresh();
    } else if (instruction.mnemonic == "movq" && !from.empty()) {
      value = m_values.in(from);
    } else if (is_sum && !constant.empty()) {
      const std::int64_t distance = value_of_text(constant).offset;
      value = m_values.in(to);
      value.offset += instruction.mnemonic == "addq" ? distance : -distance;
    }
    const bool replaces = is_move && !moves_part(instruction);
    std::vector<std::string_view> parts = instruction.operands;
    if (replaces) parts = {from};
    const std::vector<Access> loads = loads_of(parts);
    const bool is_returned = std::any_of(parts.begin(), parts.end(), [this](std::string_view part) {
      return m_returned.count(std::string(whole_register(part))) != 0;
    });
    if (replaces)
      m_loads.erase(std::string(from)); // it goes on as what is in `to`
    else if (!moves_part(instruction))
      note_use(loads);
    overwrite(to);
    if (value.is_on_stack() && is_move) m_taken.insert(value);
    if (to == "%rsp" || (to == "%rbp" && m_values.has_frame)) return;
    m_values.set(to, value);
    if (!loads.empty()) m_loads.insert_or_assign(std::string(to), loads);
    if (is_returned) m_returned.insert(std::string(to));
  }

  std::string with_hooks() const;

  std::vector<std::string_view> m_lines;
  std::size_t m_line = 0;
  std::vector<std::int64_t> m_depths; // that the frame's directives remember
  bool m_is_the_users = false;        // between #APP and #NO_APP
  bool m_has_hooks = false;           // the function under way
  bool m_has_cfi = false;             // and directives that say where its frame is
  bool m_uses_all = false;            // registers beyond those of SSE, somewhere
  Values m_values;
  std::vector<Named> m_named;                         // by hooks since the last call
  bool m_names_unknown = false;                       // one of these names an address that is not known
  std::map<std::string, std::vector<Access>> m_loads; // without hooks: what a register comes from
  std::vector<Access> m_outgoing;                     // the same of what is passed on the stack
  std::set<std::string> m_returned;                   // registers with what the last call has returned
  Value m_result;                        // where on the stack the last call may have left an object
  std::set<std::string> m_of_result;     // registers with a part of it
  std::map<std::size_t, Access> m_hooks; // by line
  std::size_t m_users_begin = 0;
  bool m_is_in_function = false;
  std::map<std::size_t, std::pair<std::size_t, UsersHooks>>
      m_users;                                  // by line: up to which one they stand in its place
  std::map<std::size_t, UsersHooks> m_exempted; // by line: what stands in its place
  // Of the function under way:
  ResultPlace m_result_place;
  std::size_t m_begin = 0;        // its first line
  bool m_begins = false;          // its label is not there yet
  bool m_is_exempted = false;     // from hooks
  std::vector<Access> m_on_stack; // by calls
  std::set<Value> m_taken;        // addresses on the stack that are in registers
  std::set<Value> m_plain;        // places on the stack that are used without a hook
};

std::string Announcer::with_hooks() const {
  std::string text;
  std::set<HookOf> hooks;
  std::set<AssemblyHook> assembly;
  for (std::size_t i = 0; i < m_lines.size(); ++i) {
    if (const auto users = m_users.find(i); users != m_users.end()) {
      const auto& [end, found] = users->second;
      hooks.insert(found.plain.begin(), found.plain.end());
      assembly.insert(found.assembly.begin(), found.assembly.end());
      text += found.text;
      i = end;
    }
    if (const auto exempted = m_exempted.find(i); exempted != m_exempted.end()) {
      assembly.insert(exempted->second.assembly.begin(), exempted->second.assembly.end());
      text += exempted->second.text;
      continue;
    }
    if (const auto found = m_hooks.find(i); found != m_hooks.end()) {
      const HookOf& hook = found->second.hook;
      hooks.insert(hook);
      text += call_of(hook, found->second.operand, found->second.below);
    }
    text += m_lines[i];
  }
  if (hooks.empty() && assembly.empty()) return text;
  text += "\t.section\t.text.reex,\"ax\",@progbits\n"; // of its own: these lines belong to no source
  for (const HookOf& hook : hooks) text += routine_of(hook, m_uses_all);
  for (const AssemblyHook& hook : assembly) text += routine_before(hook, m_uses_all);
  if (std::any_of(assembly.begin(), assembly.end(),
                  [](const AssemblyHook& hook) { return hook.may_write(); }))
    text += routine_behind(m_uses_all);
  return text;
}

} // namespace

std::string announce_accesses(std::string_view assembly) {
  const auto has = [assembly](std::string_view text) {
    return assembly.find(text) != std::string_view::npos;
  };
  if (!has(k_hook) || has(".intel_syntax")) return std::string(assembly);
  return Announcer(assembly).result();
}

} // namespace reex
