#include "reex/hooks/assembler/users_assembly.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>
#include <vector>

#include "reex/hooks/assembler/instruction.h"

namespace reex {
namespace {

// They may be locked. One whose last operand is in memory writes it.
constexpr std::array<std::string_view, 17> k_operations{"add", "sub", "and",  "or",   "xor",    "inc",
                                                        "dec", "neg", "not",  "adc",  "sbb",    "bts",
                                                        "btr", "btc", "xadd", "xchg", "cmpxchg"};
constexpr std::array<std::string_view, 2> k_comparisons{"cmp", "test"};
// What their operand names is an address, or the processor's state.
constexpr std::array<std::string_view, 22> k_no_accesses{
    "lea",     "nop",      "prefetch", "clflush", "clwb",   "cldemote", "fldcw", "fldenv",
    "fnst",    "fstcw",    "fstenv",   "fstsw",   "fx",     "xsave",    "xrst",  "ldmxcsr",
    "stmxcsr", "vldmxcsr", "vstmxcsr", "loop",    "xbegin", "call"};
constexpr std::array<std::string_view, 5> k_strings{"movs", "stos", "lods", "cmps", "scas"};

// What a hook may break: it moves the stack, or reaches only so far.
constexpr std::array<std::string_view, 11> k_untouched{"push", "pop",  "call",  "ret",   "enter",  "leave",
                                                       "loop", "jcxz", "jecxz", "jrcxz", "syscall"};
// The first one is the compiler's.
constexpr std::array<std::string_view, 4> k_kept_directives{".loc", ".align", ".balign", ".p2align"};

// Of a general register.
unsigned bytes_of_register(std::string_view name) {
  const std::string_view whole = whole_register(name);
  if (whole.empty() || whole.starts_with("%xmm")) return 0;
  if (name == whole) return 8;
  if (std::isdigit(static_cast<unsigned char>(name[2])))
    return name.ends_with('d') ? 4 : name.ends_with('w') ? 2 : 1;
  if (name.starts_with("%e")) return 4;
  return name.ends_with('l') || name.ends_with('h') ? 1 : 2;
}

// The bytes of an operation of this name; 0: it is another one.
unsigned bytes_of(const Instruction& instruction, std::string_view operation) {
  std::string_view rest = instruction.mnemonic;
  if (!rest.starts_with(operation)) return 0;
  rest.remove_prefix(operation.size());
  if (rest.size() == 1) return bytes_of_suffix(rest.front());
  if (!rest.empty()) return 0;
  for (const std::string_view operand : instruction.operands)
    if (const unsigned bytes = bytes_of_register(operand); bytes != 0) return bytes;
  return 0;
}

struct Statement {
  std::string_view label; // with its colon
  std::string_view rest;  // with prefixes
  Instruction instruction;
  bool locks = false;
  bool has_other_prefix = false;
};

Statement parse_statement(std::string_view text) {
  Statement statement;
  std::string_view rest = trimmed(text);
  for (std::size_t end = 0; end < rest.size(); ++end) {
    const char c = rest[end];
    if (c == ':' && end != 0) {
      statement.label = rest.substr(0, end + 1);
      rest = trimmed(rest.substr(end + 1));
      break;
    }
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_' && c != '.' && c != '$') break;
  }
  statement.rest = rest;
  for (;;) {
    const std::string_view word = rest.substr(0, rest.find_first_of(" \t"));
    if (word == "lock")
      statement.locks = true;
    else if (word.starts_with("rep") || word == "xacquire" || word == "xrelease" || word == "data16")
      statement.has_other_prefix = true;
    else
      break;
    rest = trimmed(rest.substr(word.size()));
  }
  statement.instruction = parse_instruction(rest);
  return statement;
}

// What a statement does to memory.
struct UsersAccess {
  std::string_view operand = {}; // empty: nothing, or it is not known
  unsigned bytes = 0;
  bool reads = false, writes = false, is_atomic = false; // plainly, or by an operation of this kind
  AssemblyHook::Kind kind = AssemblyHook::Kind::load;
  std::string_view bit = {}; // the register that says which one
};

UsersAccess atomic(std::string_view operand, AssemblyHook::Kind kind, unsigned bytes) {
  return {.operand = operand, .bytes = bytes, .is_atomic = true, .kind = kind};
}
UsersAccess plain(std::string_view operand, bool reads, bool writes, unsigned bytes) {
  return {.operand = operand, .bytes = bytes, .reads = reads, .writes = writes};
}

// As the owner of a ticket lock hands it on: others may look meanwhile, but none may change it, too.
UsersAccess change_by_one(std::string_view operand, unsigned bytes) {
  return {.operand = operand,
          .bytes = bytes,
          .reads = true,
          .is_atomic = true,
          .kind = AssemblyHook::Kind::store};
}

// Perhaps one of another word. The hook has the place in r11.
bool may_say_bit(std::string_view name, unsigned bytes) {
  return bytes >= 4 && bytes_of_register(name) == bytes && whole_register(name) != "%r11";
}

UsersAccess operation_of(const Statement& statement, std::string_view operand, bool is_last) {
  using Kind = AssemblyHook::Kind;
  const Instruction& instruction = statement.instruction;
  if (instruction.mnemonic == "cmpxchg16b") return atomic(operand, Kind::compare, 16);
  if (instruction.mnemonic == "cmpxchg8b") return atomic(operand, Kind::compare, 8);
  for (const std::string_view operation : k_operations) {
    const unsigned bytes = bytes_of(instruction, operation);
    if (bytes == 0) continue;
    const std::string_view first = instruction.operands.front();
    const bool locks = statement.locks || operation == "xchg";
    if (operation.starts_with("bt") && !first.starts_with('$')) {
      UsersAccess access = atomic(operand, Kind::exchange, bytes);
      access.bit = first;
      return locks && may_say_bit(first, bytes) ? access : UsersAccess{};
    }
    if (!locks && !is_last) return atomic(operand, Kind::load, bytes);
    if (!locks) return change_by_one(operand, bytes);
    if (first == "$0") return {}; // a fence
    return atomic(operand, operation == "cmpxchg" ? Kind::compare : Kind::exchange, bytes);
  }
  for (const std::string_view comparison : k_comparisons)
    if (const unsigned bytes = bytes_of(instruction, comparison); bytes != 0)
      return atomic(operand, Kind::load, bytes);
  return {};
}

UsersAccess move_of(const Instruction& instruction, std::string_view operand, bool is_last) {
  unsigned bytes = bytes_of_move(instruction);
  if (instruction.mnemonic == "mov") bytes = bytes_of(instruction, "mov");
  if (bytes == 0 || instruction.operands.size() != 2) return {};
  const std::string_view other = instruction.operands[is_last ? 0 : 1];
  if (!other.starts_with('$') && bytes_of_register(other) == 0)
    return plain(operand, !is_last, is_last, bytes); // between memory and a vector
  return atomic(operand, is_last ? AssemblyHook::Kind::store : AssemblyHook::Kind::load, bytes);
}

UsersAccess access_of(const Statement& statement) {
  const Instruction& instruction = statement.instruction;
  if (instruction.mnemonic.empty() || statement.has_other_prefix) return {};
  for (const std::string_view& operand : instruction.operands) {
    MemoryOperand memory;
    if (!parse_memory(operand, memory)) continue;
    const bool is_last = &operand == &instruction.operands.back();
    const UsersAccess move = move_of(instruction, operand, is_last);
    return move.operand.empty() ? operation_of(statement, operand, is_last) : move;
  }
  return {};
}

// An instruction of strings, which needs no operands.
bool is_string(const Instruction& instruction) {
  return std::any_of(k_strings.begin(), k_strings.end(), [&](std::string_view name) {
    return instruction.mnemonic.size() == name.size() + 1 && instruction.mnemonic.starts_with(name) &&
           bytes_of_suffix(instruction.mnemonic.back()) != 0;
  });
}

// Whether it touches memory that others may, too. A fence does not.
bool accesses_memory(const Statement& statement) {
  const Instruction& instruction = statement.instruction;
  const auto begins = [&](std::string_view name) { return instruction.mnemonic.starts_with(name); };
  if (instruction.mnemonic.empty() || instruction.mnemonic.front() == 'j') return false;
  if (std::any_of(k_no_accesses.begin(), k_no_accesses.end(), begins)) return false;
  if (is_string(instruction)) return true;
  if (statement.locks && instruction.operands.size() == 2 && instruction.operands.front() == "$0")
    return false;
  return std::any_of(instruction.operands.begin(), instruction.operands.end(), [](std::string_view operand) {
    MemoryOperand memory;
    return parse_memory(operand, memory);
  });
}

bool needs_mark(const Statement& statement, const UsersAccess& access) {
  return !access.is_atomic && !access.reads && !access.writes && accesses_memory(statement);
}

void add_atomic(const AssemblyHook& hook, const Statement& statement, const UsersAccess& access, Below below,
                UsersHooks& hooks) {
  hooks.assembly.insert(hook);
  hooks.text += call_before(hook, access.operand, access.bit, below);
  hooks.text += '\t' + std::string(statement.rest) + '\n';
  if (hook.may_write()) hooks.text += call_behind(below);
}

class Block {
public:
  explicit Block(std::span<const std::string_view> lines) : m_lines(lines) {
    for (const std::string_view line : lines) take_line(line);
    if (!m_held.empty()) m_statements.push_back(m_held);
  }

  UsersHooks with_hooks(Below below) const { return m_is_plain ? hooked(below) : marked(); }

private:
  UsersHooks hooked(Below below) const {
    UsersHooks hooks;
    for (const std::string& text : m_statements) {
      const Statement whole = parse_statement(text);
      if (!whole.label.empty()) hooks.text += std::string(whole.label) + '\n';
      add(std::string(whole.rest), below, hooks);
    }
    if (!hooks.has_hooks() && hooks.text.find(unseen_mark()) == std::string::npos) hooks.text.clear();
    return hooks;
  }

  // As it is, with a mark before it if it accesses memory.
  UsersHooks marked() const {
    UsersHooks hooks;
    const auto accesses = [](const std::string& text) { return accesses_memory(parse_statement(text)); };
    if (std::none_of(m_statements.begin(), m_statements.end(), accesses)) return hooks;
    hooks.text = unseen_mark();
    for (const std::string_view line : m_lines) hooks.text += line;
    return hooks;
  }

  void take_line(std::string_view line) {
    line = line.substr(0, line.find('#'));
    const std::size_t unknown = std::min(line.find('"'), line.find("/*"));
    if (unknown != std::string_view::npos) m_is_plain = false;
    line = line.substr(0, unknown);
    while (!line.empty()) {
      const std::size_t end = std::min(line.find(';'), line.size());
      const std::string_view text = trimmed(line.substr(0, end));
      line.remove_prefix(std::min(end + 1, line.size()));
      if (text.empty()) continue;
      m_is_plain = m_is_plain && may_have_hooks(text);
      const Statement statement = parse_statement(text);
      m_held += text;
      if (statement.instruction.mnemonic.empty() && (statement.locks || statement.has_other_prefix))
        m_held += ' ';
      else
        m_statements.push_back(std::exchange(m_held, {}));
    }
  }

  static bool may_have_hooks(std::string_view text) {
    const Statement statement = parse_statement(text);
    if (statement.rest.starts_with('.'))
      return std::any_of(k_kept_directives.begin(), k_kept_directives.end(),
                         [&](std::string_view kept) { return statement.rest.starts_with(kept); });
    const Instruction& instruction = statement.instruction;
    if (!instruction.operands.empty() && whole_register(instruction.operands.back()) == "%rsp") return false;
    return std::none_of(k_untouched.begin(), k_untouched.end(), [&](std::string_view untouched) {
      return instruction.mnemonic.starts_with(untouched);
    });
  }

  static void add(const std::string& text, Below below, UsersHooks& hooks) {
    const Statement statement = parse_statement(text);
    UsersAccess access = access_of(statement);
    // The hook moves the stack pointer first.
    if (below != Below::nothing && access.operand.find("%rsp") != std::string_view::npos) access = {};
    for (const bool writes : {false, true}) {
      if (writes ? !access.writes : !access.reads) continue;
      const HookOf hook{.writes = writes, .repeats = false, .bytes = access.bytes};
      hooks.plain.insert(hook);
      hooks.text += call_of(hook, access.operand, below);
    }
    if (access.is_atomic) return add_atomic({access.kind, access.bytes}, statement, access, below, hooks);
    if (needs_mark(statement, access)) hooks.text += unseen_mark();
    hooks.text += '\t' + text + '\n';
  }

  std::span<const std::string_view> m_lines;
  std::vector<std::string> m_statements; // with their labels and prefixes
  std::string m_held;                    // prefixes that stand alone
  bool m_is_plain = true;
};

} // namespace

UsersHooks hooks_of_users(std::span<const std::string_view> lines, Below below) {
  return Block(lines).with_hooks(below);
}

UsersHooks hooks_of_exempted(std::string_view line, Below below) {
  constexpr unsigned k_most_bytes = 16;
  UsersHooks hooks;
  const Statement statement = parse_statement(line.substr(0, line.find('#')));
  const UsersAccess access = access_of(statement);
  const bool is_hooked = (access.is_atomic || access.reads || access.writes) && access.bytes <= k_most_bytes;
  // Between what it reads and what it writes no thread is switched.
  const bool is_change = access.is_atomic && access.reads;
  if (is_change || (!is_hooked && accesses_memory(statement))) hooks.text = unseen_mark();
  const AssemblyHook::Kind kind = access.is_atomic ? access.kind
                                  : access.writes  ? AssemblyHook::Kind::store
                                                   : AssemblyHook::Kind::load;
  if (is_hooked)
    add_atomic({kind, access.bytes, true}, statement, access, below, hooks);
  else if (!hooks.text.empty())
    hooks.text += '\t' + std::string(statement.rest) + '\n';
  return hooks;
}

} // namespace reex
