#include "reex/hooks/assembler/announce.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "reex/hooks/assembler/instruction.h"

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

// What is known of a register, or of a word on the stack: something that has a name, and a distance from it.
struct Value {
  std::string name;
  std::int64_t offset = 0;
  auto operator<=>(const Value&) const = default;
};

struct Access {
  std::size_t line;
  std::string_view operand;
  unsigned bytes;
  bool writes;
  Value place = {};          // on the stack; elsewhere without a name
  bool may_be_named = false; // by a hook whose address is not known
  bool repeats = false;      // as often as rcx says
};

struct Named { // by a hook
  Value address;
  std::int64_t bytes;
};

// "symbol+8" or "8".
Value value_of_text(std::string_view text) {
  Value value;
  std::size_t end = text.size();
  const std::size_t sign = text.find_last_of("+-");
  const std::size_t digits = sign == std::string_view::npos ? 0 : sign;
  const char* const first = text.data() + digits + (digits < end && text[digits] == '+');
  const auto [last, error] = std::from_chars(first, text.data() + text.size(), value.offset);
  if (error == std::errc{} && last == text.data() + text.size() && first != last)
    end = digits;
  else
    value.offset = 0;
  value.name = text.substr(0, end);
  return value;
}

// Where a jump may come from elsewhere. Of the labels that g++ numbers, the others are for the debugger.
bool may_be_target(std::string_view line) {
  const std::size_t end = line.find(':');
  if (end == std::string_view::npos || line.starts_with('\t') || line.starts_with('#')) return false;
  return !line.starts_with(".L") || line.find_first_not_of("0123456789", 2) == end;
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
    if (line.starts_with("#APP")) m_is_the_users = true;
    if (line.starts_with("#NO_APP")) m_is_the_users = false;
    if (m_is_the_users || line.find(';') != std::string_view::npos) return forget(); // several, or a string
    if (line.find("@function") != std::string_view::npos && line.find(".cold") == std::string_view::npos)
      end_function();
    const Instruction instruction = parse_instruction(line);
    if (instruction.mnemonic.empty()) {
      if (may_be_target(line)) forget();
      return take_frame(line);
    }
    if (line.find("%ymm") != std::string_view::npos || line.find("%zmm") != std::string_view::npos ||
        instruction.mnemonic.front() == 'f')
      m_is_wide = true; // a hook would not keep these registers
    take(instruction);
  }

  // Where the stack pointer is, from where it was when the function was called. With a frame pointer it does
  // not matter.
  void take_frame(std::string_view line) {
    const auto ends_with_depth = [&](std::string_view directive) {
      if (line.find(directive) == std::string_view::npos) return false;
      const std::size_t digits = line.find_last_not_of("0123456789\n") + 1;
      std::from_chars(line.data() + digits, line.data() + line.size(), m_depth);
      return true;
    };
    if (line.find(".cfi_startproc") != std::string_view::npos) m_depth = 8;
    if (line.find(".cfi_remember_state") != std::string_view::npos) m_depths.push_back(m_depth);
    if (line.find(".cfi_restore_state") != std::string_view::npos && !m_depths.empty()) {
      m_depth = m_depths.back();
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
          !(is_framed(access.place) && m_plain.count(access.place) != 0))
        m_hooks.insert_or_assign(access.line, access);
    }
    m_on_stack.clear();
    m_taken.clear();
    m_plain.clear();
    m_has_hooks = m_has_frame = false;
  }

  // A label, or code that is not understood: anything may be everywhere.
  void forget() {
    m_values.clear();
    m_slots.clear();
    m_named.clear();
    m_names_unknown = false;
    end_call();
    m_returned.clear();
  }
  void end_call() {
    m_loads.clear();
    m_outgoing.clear();
    m_is_wide = false;
  }

  Value fresh() { return {.name = "#" + std::to_string(++m_names), .offset = 0}; }
  Value value_in(std::string_view name) {
    if (name == "%rsp") return {.name = "%rsp", .offset = m_has_frame ? 0 : -m_depth};
    if (name == "%rbp" && m_has_frame) return {.name = "%rbp", .offset = 0};
    const auto [found, is_new] = m_values.try_emplace(std::string(name));
    if (is_new) found->second = fresh();
    return found->second;
  }
  static bool is_on_stack(const Value& address) {
    return address.name.starts_with("%rsp") || address.name.starts_with("%rbp");
  }
  static bool is_framed(const Value& place) { return place.name.starts_with("%rbp"); }
  // No variable that changes: a constant of the compiler, or a word of the linker.
  static bool is_constant(std::string_view operand) {
    return operand.starts_with(".L") || operand.find('@') != std::string_view::npos;
  }

  Value address_of(const MemoryOperand& memory) {
    Value address = value_of_text(memory.displacement);
    if (!memory.base.empty() && memory.base != "%rip") {
      const Value base = value_in(memory.base);
      address = {.name = base.name + address.name, .offset = base.offset + address.offset};
    }
    if (!memory.index.empty()) {
      const Value index = value_in(memory.index);
      address.name += '+' + index.name + std::to_string(index.offset) + '*' + std::string(memory.scale);
    }
    return address;
  }

  bool is_named(const Value& address, unsigned bytes) const {
    return std::any_of(m_named.begin(), m_named.end(), [&](const Named& named) {
      return named.address.name == address.name && address.offset < named.address.offset + named.bytes &&
             named.address.offset < address.offset + bytes;
    });
  }

  void take(const Instruction& instruction) {
    const std::string_view mnemonic = instruction.mnemonic;
    const auto& operands = instruction.operands;
    if (mnemonic == "call" && operands.size() == 1) return take_call(operands[0]);
    if (mnemonic.starts_with("cmp") || mnemonic.starts_with("test") || mnemonic.starts_with("j") ||
        mnemonic.starts_with("nop") || operands.empty())
      return take_implicit(mnemonic);
    MemoryOperand memory;
    if (mnemonic == "pushq" && parse_memory(operands[0], memory)) return push(memory, operands[0]);
    if (mnemonic == "pushq") return pass_on_stack(whole_register(operands[0]));
    if (mnemonic == "rep") return repeat(operands[0]);
    const std::string_view to = whole_register(operands.back());
    const std::string_view from = operands.size() == 2 ? whole_register(operands[0]) : std::string_view{};
    if (parse_memory(operands.back(), memory)) return store(instruction, memory, from);
    if (to.empty()) return;
    if (operands.size() == 2 && parse_memory(operands[0], memory)) return load(instruction, memory, to);
    change(instruction, from, to);
  }

  void take_implicit(std::string_view mnemonic) { // cqto and the like
    if (!mnemonic.starts_with("c") || mnemonic.starts_with("cmp")) return;
    overwrite("%rax");
    overwrite("%rdx");
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
    else if (m_has_hooks && !m_is_wide)
      say_passed();
    end_call();
    m_returned.clear();
    for (const std::string_view name : k_of_caller) m_values.erase(std::string(name));
    if (is_hook) return;
    m_named.clear();
    m_names_unknown = false;
    m_slots.clear();
    for (const std::string_view name : k_returned) m_returned.insert(std::string(name));
  }

  void note_hook(std::string_view name) {
    const bool is_access = name.find("read") != std::string_view::npos ||
                           name.find("write") != std::string_view::npos || name.starts_with("vptr");
    if (!is_access) return;
    const std::size_t digits = name.find_last_not_of("0123456789") + 1;
    std::int64_t bytes = name.ends_with("range") ? k_most_of_range : 8;
    std::from_chars(name.data() + digits, name.data() + name.size(), bytes);
    m_named.push_back({value_in("%rdi"), bytes});
    m_names_unknown |= m_named.back().address.name.starts_with('#');
  }

  void say_passed() {
    for (const std::string_view name : k_passed)
      if (const auto loads = m_loads.find(std::string(name)); loads != m_loads.end())
        m_outgoing.insert(m_outgoing.end(), loads->second.begin(), loads->second.end());
    for (const Access& access : m_outgoing) say(access);
  }
  void say(const Access& access) {
    if (access.place.name.empty())
      m_hooks.insert_or_assign(access.line, access);
    else
      m_on_stack.push_back(access);
  }
  // A sum of sums comes from the same load in many ways.
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

  bool is_loaded_without_hook(const MemoryOperand& memory, const Value& address, unsigned bytes) const {
    return bytes != 0 && !is_constant(memory.displacement) && !is_named(address, bytes);
  }

  void push(const MemoryOperand& memory, std::string_view operand) {
    const Value address = address_of(memory);
    if (is_loaded_without_hook(memory, address, 8))
      m_outgoing.push_back({m_line, operand, 8, false, is_on_stack(address) ? address : Value{}});
  }
  void pass_on_stack(std::string_view name) {
    if (const auto loads = m_loads.find(std::string(name)); loads != m_loads.end())
      m_outgoing.insert(m_outgoing.end(), loads->second.begin(), loads->second.end());
  }

  // Large objects are copied so: from rsi to rdi, as many words as rcx says.
  void repeat(std::string_view what) {
    const unsigned bytes = what == "movsq" ? 8 : what == "movsl" ? 4 : 0;
    const Value from = value_in("%rsi");
    if (bytes != 0 && is_on_stack(value_in("%rdi")) && !is_on_stack(from) && !is_named(from, bytes))
      m_outgoing.push_back(
          {.line = m_line, .operand = "(%rsi)", .bytes = bytes, .writes = false, .repeats = true});
    for (const std::string_view name : {"%rsi", "%rdi", "%rcx"}) overwrite(name);
  }

  void store(const Instruction& instruction, const MemoryOperand& memory, std::string_view from) {
    const unsigned bytes = bytes_of_move(instruction);
    const Value address = address_of(memory);
    const bool on_stack = is_on_stack(address);
    const bool is_returned = bytes != 0 && m_returned.count(std::string(from)) != 0;
    if (m_has_hooks && !m_is_wide && is_returned && !is_constant(memory.displacement))
      say({m_line, instruction.operands.back(), bytes, true, on_stack ? address : Value{}});
    else if (on_stack && !m_names_unknown && !is_named(address, bytes))
      m_plain.insert(address);
    if (!on_stack) return;
    m_slots.erase(address);
    if (from.empty()) return;
    if (instruction.mnemonic == "movq" && !from.starts_with("%xmm"))
      m_slots.insert_or_assign(address, value_in(from));
    pass_on_stack(from);
  }

  void load(const Instruction& instruction, const MemoryOperand& memory, std::string_view to) {
    const unsigned bytes = bytes_of_move(instruction);
    const Value address = address_of(memory);
    std::vector<Access> loads;
    if (bytes == 0) { // an operation with an operand in memory
      if (const auto before = m_loads.find(std::string(to)); before != m_loads.end()) loads = before->second;
    } else if (is_loaded_without_hook(memory, address, bytes)) {
      loads.push_back({m_line, instruction.operands[0], bytes, false,
                       is_on_stack(address) ? address : Value{}, m_names_unknown});
    }
    Value value = fresh();
    if (instruction.mnemonic == "leaq") {
      if (address.name.size() <= k_longest_name) value = address;
      loads.clear();
      if (is_on_stack(address)) m_taken.insert(address);
    } else if (memory.displacement.ends_with("@GOTPCREL")) {
      value = {.name = std::string(memory.displacement.substr(0, memory.displacement.find('@')))};
    } else if (instruction.mnemonic == "movq" && is_on_stack(address)) {
      value = m_slots.try_emplace(address, value).first->second;
    }
    overwrite(to);
    m_values.insert_or_assign(std::string(to), value);
    if (!loads.empty()) m_loads.insert_or_assign(std::string(to), loads);
  }

  void overwrite(std::string_view name) {
    m_values.erase(std::string(name));
    if (const auto loads = m_loads.find(std::string(name)); loads != m_loads.end()) {
      note_use(loads->second);
      m_loads.erase(loads);
    }
    m_returned.erase(std::string(name));
  }

  // A register changes by what is in another one, or by a constant.
  void change(const Instruction& instruction, std::string_view from, std::string_view to) {
    const std::string_view constant =
        instruction.operands.front().starts_with('$') ? instruction.operands.front().substr(1) : "";
    const bool is_move = bytes_of_move(instruction) != 0 && instruction.operands.size() == 2;
    const bool is_sum = instruction.mnemonic == "addq" || instruction.mnemonic == "subq";
    if (instruction.mnemonic == "movq" && from == "%rsp" && to == "%rbp") m_has_frame = true;
    Value value = fresh();
    if (is_move && !constant.empty()) {
      value = value_of_text(constant);
      if (value.name.empty()) value = fresh();
    } else if (instruction.mnemonic == "movq" && !from.empty()) {
      value = value_in(from);
    } else if (is_sum && !constant.empty()) {
      const std::int64_t distance = value_of_text(constant).offset;
      value = value_in(to);
      value.offset += instruction.mnemonic == "addq" ? distance : -distance;
    }
    std::vector<Access> loads;
    bool is_returned = false;
    for (const std::string_view part : {from, is_move ? std::string_view{} : to}) {
      if (const auto found = m_loads.find(std::string(part)); found != m_loads.end())
        add(loads, found->second);
      is_returned |= m_returned.count(std::string(part)) != 0;
    }
    if (is_move)
      m_loads.erase(std::string(from)); // it goes on as what is in `to`
    else
      note_use(loads);
    overwrite(to);
    if (is_on_stack(value) && is_move) m_taken.insert(value);
    if (to == "%rsp" || (to == "%rbp" && m_has_frame)) return;
    m_values.insert_or_assign(std::string(to), value);
    if (!loads.empty()) m_loads.insert_or_assign(std::string(to), loads);
    if (is_returned) m_returned.insert(std::string(to));
  }

  std::string with_hooks() const;

  std::vector<std::string_view> m_lines;
  std::size_t m_line = 0;
  std::uint64_t m_names = 0;
  std::int64_t m_depth = 8;
  std::vector<std::int64_t> m_depths; // that the frame's directives remember
  bool m_is_the_users = false;        // between #APP and #NO_APP
  bool m_has_hooks = false;           // the function under way
  bool m_has_frame = false;
  bool m_is_wide = false;
  std::map<std::string, Value> m_values;              // by register
  std::map<Value, Value> m_slots;                     // by place on the stack
  std::vector<Named> m_named;                         // by hooks since the last call
  bool m_names_unknown = false;                       // one of these names an address that is not known
  std::map<std::string, std::vector<Access>> m_loads; // without hooks: what a register comes from
  std::vector<Access> m_outgoing;                     // the same of what is passed on the stack
  std::set<std::string> m_returned;                   // registers with what the last call has returned
  std::map<std::size_t, Access> m_hooks;              // by line
  // Of the function under way:
  std::vector<Access> m_on_stack; // by calls
  std::set<Value> m_taken;        // addresses on the stack that are in registers
  std::set<Value> m_plain;        // places on the stack that are used without a hook
};

// Calls the hook with the address in r11 and keeps all registers, whatever their use between the access and
// the call. The caller has left r11 below its stack, where a function that calls others has nothing.
std::string routine(const std::string& hook) {
  const std::string name = "reex_" + hook;
  std::string text = "\t.type\t" + name + ", @function\n" + name +
                     ":\n\t.cfi_startproc\n\tpushq\t%rbp\n\t.cfi_def_cfa_offset 16\n"
                     "\t.cfi_offset 6, -16\n\tmovq\t%rsp, %rbp\n\t.cfi_def_cfa_register 6\n"
                     "\tpushq\t-48(%rbp)\n\tpushfq\n";
  constexpr std::string_view k_kept[] = {"%rax", "%rcx", "%rdx", "%rsi", "%rdi", "%r8", "%r9", "%r10"};
  for (const std::string_view kept : k_kept) text += "\tpushq\t" + std::string(kept) + '\n';
  text += "\tsubq\t$256, %rsp\n\tandq\t$-16, %rsp\n";
  const auto move_all = [&text](bool saves) {
    for (int i = 0; i < 16; ++i) {
      const std::string place = std::to_string(16 * i) + "(%rsp)";
      const std::string vector = "%xmm" + std::to_string(i);
      text += "\tmovaps\t" + (saves ? vector + ", " + place : place + ", " + vector) + '\n';
    }
  };
  move_all(true);
  text += "\tmovq\t%r11, %rdi\n";
  if (hook.starts_with("range"))
    text += "\tleaq\t(,%rcx," + hook.substr(5) +
            "), %rsi\n\tmovq\t8(%rbp), %rdx\n\tcall\t__tsan_read_range_pc@PLT\n";
  else
    text += "\tmovq\t8(%rbp), %rsi\n\tcall\t__tsan_" + hook + "_pc@PLT\n";
  move_all(false);
  text += "\tleaq\t-80(%rbp), %rsp\n";
  for (auto kept = std::rbegin(k_kept); kept != std::rend(k_kept); ++kept)
    text += "\tpopq\t" + std::string(*kept) + '\n';
  return text + "\tpopfq\n\tpopq\t%r11\n\tleave\n\t.cfi_def_cfa 7, 8\n\tret\n\t.cfi_endproc\n";
}

std::string Announcer::with_hooks() const {
  std::string text;
  std::set<std::string> hooks;
  for (std::size_t i = 0; i < m_lines.size(); ++i) {
    if (const auto found = m_hooks.find(i); found != m_hooks.end()) {
      const Access& access = found->second;
      const std::string hook = (access.writes    ? "write"
                                : access.repeats ? "range"
                                                 : "read") +
                               std::to_string(access.bytes);
      hooks.insert(hook);
      text += "\tmovq\t%r11, -64(%rsp)\n\tleaq\t" + std::string(access.operand) + ", %r11\n\tcall\treex_" +
              hook + '\n';
    }
    text += m_lines[i];
  }
  if (hooks.empty()) return text;
  text += "\t.section\t.text.reex,\"ax\",@progbits\n"; // of its own: these lines belong to no source
  for (const std::string& hook : hooks) text += routine(hook);
  return text;
}

} // namespace

std::string announce_accesses(std::string_view assembly) {
  const auto has = [assembly](std::string_view text) {
    return assembly.find(text) != std::string_view::npos;
  };
  if (!has(k_entry) || has(".intel_syntax")) return std::string(assembly);
  return Announcer(assembly).result();
}

} // namespace reex
