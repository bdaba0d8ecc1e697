#include "tests/model/program.h"

#include <algorithm>
#include <charconv>
#include <sstream>

namespace reex::model {
namespace {

constexpr std::array k_op_table{
    OpInfo{"create", OpCode::create, "t"},
    OpInfo{"join", OpCode::join, "t"},
    OpInfo{"detach", OpCode::detach, "t"},
    OpInfo{"set", OpCode::set, "rv"},
    OpInfo{"increase", OpCode::increase, "rv"},
    OpInfo{"read", OpCode::read, "pr"},
    OpInfo{"write", OpCode::write, "pv"},
    OpInfo{"loop", OpCode::loop, "n"},
    OpInfo{"if", OpCode::if_, "vqv"},
    OpInfo{"while", OpCode::while_, "vqv"},
    OpInfo{"end", OpCode::end, ""},
    OpInfo{"tls", OpCode::tls, "d"}, // first use of a thread_local, whose destructor runs at the thread's end
    OpInfo{"return", OpCode::return_, "v"}, // ends the body; in main with this exit status
    OpInfo{"exit", OpCode::exit, "v"},      // std::exit, in any thread
    OpInfo{"lock", OpCode::lock, "m"},
    OpInfo{"unlock", OpCode::unlock, "m"},
    OpInfo{"trylock", OpCode::trylock, "mr"},
    OpInfo{"lockfor", OpCode::lockfor, "mnr"}, // milliseconds
    OpInfo{"wait", OpCode::wait, "cm"},
    OpInfo{"waitfor", OpCode::waitfor, "cmnr"}, // the register: 1 before the deadline, 0 after it
    OpInfo{"signal", OpCode::signal, "c"},
    OpInfo{"broadcast", OpCode::broadcast, "c"},
    OpInfo{"semwait", OpCode::semwait, "s"},
    OpInfo{"sempost", OpCode::sempost, "s"},
    OpInfo{"semtry", OpCode::semtry, "sr"},
    OpInfo{"semwaitfor", OpCode::semwaitfor, "snr"},
    OpInfo{"rdlock", OpCode::rdlock, "w"},
    OpInfo{"wrlock", OpCode::wrlock, "w"},
    OpInfo{"rdunlock", OpCode::rdunlock, "w"},
    OpInfo{"wrunlock", OpCode::wrunlock, "w"},
    OpInfo{"tryrd", OpCode::tryrd, "wr"},
    OpInfo{"trywr", OpCode::trywr, "wr"},
    OpInfo{"rdlockfor", OpCode::rdlockfor, "wnr"},
    OpInfo{"wrlockfor", OpCode::wrlockfor, "wnr"},
    OpInfo{"load", OpCode::load, "xr"},
    OpInfo{"store", OpCode::store, "xv"},
    OpInfo{"add", OpCode::add, "xvr"},   // the register: the old value
    OpInfo{"xchg", OpCode::xchg, "xvr"}, // the register: the old value
    OpInfo{"cas", OpCode::cas, "xvvr"},  // expected, desired; the register: 1 on success
    OpInfo{"yield", OpCode::yield, ""},
    OpInfo{"sleep", OpCode::sleep, "n"},
    OpInfo{"print", OpCode::print, "\""},
    OpInfo{"printr", OpCode::printr, "v"},
    OpInfo{"report", OpCode::report,
           ""}, // one line: registers of the threads that are not detached, plain variables
    OpInfo{"event", OpCode::event, "n"},
    OpInfo{"abort", OpCode::abort, ""},
    OpInfo{"assert", OpCode::assertion, ""},
    OpInfo{"throw", OpCode::throw_, ""},
};

constexpr std::array<std::string_view, 4> k_comparisons{"==", "!=", "<", ">"};
constexpr std::array<std::string_view, 3> k_mutex_kinds{"plain", "recursive", "timed"};

class Parser {
public:
  Program parse(std::string_view text) {
    std::istringstream lines{std::string(text)};
    for (std::string line; std::getline(lines, line);) {
      ++m_line;
      parse_line(line.substr(0, line.find('#')));
    }
    if (m_program.threads.empty()) fail("no thread 0");
    for (auto& body : m_program.threads) resolve_jumps(body);
    for (auto& body : m_program.destructors) resolve_jumps(body);
    check_references();
    return std::move(m_program);
  }

private:
  [[noreturn]] void fail(const std::string& what) const {
    throw SyntaxError("line " + std::to_string(m_line) + ": " + what);
  }

  int number(std::string_view word) const {
    int value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size()) fail("not a number: " + std::string(word));
    return value;
  }

  int object(std::string_view word, char kind) const {
    if (word.size() < 2 || word[0] != kind)
      fail(std::string("expected ") + kind + "N, saw " + std::string(word));
    return number(word.substr(1));
  }

  void parse_line(const std::string& line) {
    std::istringstream stream(line);
    std::vector<std::string> words;
    for (std::string word; stream >> word;) words.push_back(word);
    if (words.empty() || declaration(words)) return;
    if (!m_body) fail("an operation outside a thread");
    operation(words);
  }

  bool declaration(const std::vector<std::string>& words) {
    const std::string& keyword = words[0];
    const auto argument = [&](std::size_t i) {
      if (i >= words.size()) fail("too few words");
      return words[i];
    };
    const auto declare = [&](std::vector<int>& values, char kind) {
      if (object(argument(1), kind) != static_cast<int>(values.size())) fail("declared out of order");
      values.push_back(words.size() > 2 ? number(argument(3)) : 0);
    };
    const auto count = [&](int& objects, char kind) {
      if (object(argument(1), kind) != objects) fail("declared out of order");
      ++objects;
    };
    const auto begin = [&](std::vector<std::vector<Op>>& bodies) {
      if (number(argument(1)) != static_cast<int>(bodies.size())) fail("bodies come in order");
      bodies.emplace_back();
      m_body = &bodies.back();
    };
    if (keyword == "atomic") {
      declare(m_program.atomics, 'x');
    } else if (keyword == "plain") {
      declare(m_program.plains, 'p');
    } else if (keyword == "sem") {
      declare(m_program.semaphores, 's');
    } else if (keyword == "cond") {
      count(m_program.conditions, 'c');
    } else if (keyword == "rwlock") {
      count(m_program.rwlocks, 'w');
    } else if (keyword == "mutex") {
      if (object(argument(1), 'm') != static_cast<int>(m_program.mutexes.size()))
        fail("declared out of order");
      const std::string kind = words.size() > 2 ? words[2] : "plain";
      const auto* found = std::find(k_mutex_kinds.begin(), k_mutex_kinds.end(), kind);
      if (found == k_mutex_kinds.end()) fail("no kind of mutex: " + kind);
      m_program.mutexes.push_back(static_cast<MutexKind>(found - k_mutex_kinds.begin()));
    } else if (keyword == "thread") {
      begin(m_program.threads);
    } else if (keyword == "destructor") {
      begin(m_program.destructors);
    } else if (keyword == "order") {
      Ordering ordering{number(argument(1)), {{}}};
      for (std::size_t i = 2; i < words.size(); ++i) {
        const bool blocks = words[i].front() == '[';
        if (words[i] == "|")
          ordering.alternatives.emplace_back();
        else
          ordering.alternatives.back().push_back(
              {number(blocks ? words[i].substr(1, words[i].size() - 2) : words[i]), blocks});
      }
      m_program.orderings.push_back(std::move(ordering));
    } else if (keyword == "expect") {
      const std::string output = argument(3);
      m_program.expectations.push_back(
          {static_cast<unsigned>(number(argument(1))), argument(2), output == "-" ? "" : unescape(output)});
    } else {
      return false;
    }
    return true;
  }

  void operation(const std::vector<std::string>& words) {
    const auto* found = std::find_if(k_op_table.begin(), k_op_table.end(),
                                     [&](const OpInfo& entry) { return entry.name == words[0]; });
    if (found == k_op_table.end()) fail("no operation: " + words[0]);
    if (words.size() != found->signature.size() + 1) fail(words[0] + ": wrong number of arguments");
    Op op;
    op.code = found->code;
    for (std::size_t i = 0; i < found->signature.size(); ++i)
      argument(op, i, found->signature[i], words[i + 1]);
    m_body->push_back(op);
  }

  void argument(Op& op, std::size_t i, char kind, const std::string& word) const {
    switch (kind) {
    case 'r':
      op.args[i] = object(word, 'r');
      if (op.args[i] >= k_registers) fail("no register: " + word);
      break;
    case 'v':
      op.in_register[i] = word[0] == 'r';
      op.args[i] = op.in_register[i] ? object(word, 'r') : number(word);
      if (op.in_register[i] && op.args[i] >= k_registers) fail("no register: " + word);
      break;
    case 'q': {
      const auto* found = std::find(k_comparisons.begin(), k_comparisons.end(), word);
      if (found == k_comparisons.end()) fail("no comparison: " + word);
      op.args[i] = static_cast<int>(found - k_comparisons.begin());
      break;
    }
    case '"':
      op.text = unescape(word);
      break;
    case 't':
    case 'd':
    case 'n':
      op.args[i] = number(word);
      break;
    default:
      op.args[i] = object(word, kind);
    }
  }

  std::size_t objects(char kind) const {
    switch (kind) {
    case 'x':
      return m_program.atomics.size();
    case 'p':
      return m_program.plains.size();
    case 'm':
      return m_program.mutexes.size();
    case 'c':
      return static_cast<std::size_t>(m_program.conditions);
    case 's':
      return m_program.semaphores.size();
    case 'w':
      return static_cast<std::size_t>(m_program.rwlocks);
    case 't':
      return m_program.threads.size();
    case 'd':
      return m_program.destructors.size();
    default:
      return SIZE_MAX;
    }
  }

  void check_references() const {
    const auto check = [&](const std::vector<Op>& body) {
      for (const Op& op : body) {
        const std::string_view signature = info(op.code).signature;
        for (std::size_t i = 0; i < signature.size(); ++i)
          if (std::string_view("xpmcswtd").find(signature[i]) != std::string_view::npos &&
              static_cast<std::size_t>(op.args[i]) >= objects(signature[i]))
            throw SyntaxError(std::string(info(op.code).name) + ": not declared: " + signature[i] +
                              std::to_string(op.args[i]));
      }
    };
    for (const auto& body : m_program.threads) check(body);
    for (const auto& body : m_program.destructors) check(body);
  }

  Program m_program;
  std::vector<Op>* m_body = nullptr;
  int m_line = 0;
};

void write_body(std::ostringstream& out, const std::vector<Op>& body) {
  int depth = 1;
  for (const Op& op : body) {
    if (op.code == OpCode::end) --depth;
    out << std::string(static_cast<std::size_t>(2 * depth), ' ') << info(op.code).name;
    const std::string_view signature = info(op.code).signature;
    for (std::size_t i = 0; i < signature.size(); ++i) {
      out << ' ';
      switch (signature[i]) {
      case 'r':
        out << 'r' << op.args[i];
        break;
      case 'v':
        out << (op.in_register[i] ? "r" : "") << op.args[i];
        break;
      case 'q':
        out << comparison_name(op.args[i]);
        break;
      case '"':
        out << escape(op.text);
        break;
      case 't':
      case 'd':
      case 'n':
        out << op.args[i];
        break;
      default:
        out << signature[i] << op.args[i];
      }
    }
    out << '\n';
    if (op.code == OpCode::loop || op.code == OpCode::if_ || op.code == OpCode::while_) ++depth;
  }
}

} // namespace

const OpInfo& info(OpCode code) {
  return *std::find_if(k_op_table.begin(), k_op_table.end(),
                       [&](const OpInfo& entry) { return entry.code == code; });
}

bool Program::is_detached(int thread) const {
  const auto detaches = [&](const std::vector<Op>& body) {
    return std::any_of(body.begin(), body.end(),
                       [&](const Op& op) { return op.code == OpCode::detach && op.args[0] == thread; });
  };
  return std::any_of(threads.begin(), threads.end(), detaches);
}

Program parse(std::string_view text) { return Parser().parse(text); }

std::string to_text(const Program& program) {
  std::ostringstream out;
  const auto values = [&](const char* keyword, char kind, const std::vector<int>& list) {
    for (std::size_t i = 0; i < list.size(); ++i)
      out << keyword << ' ' << kind << i << " = " << list[i] << '\n';
  };
  values("atomic", 'x', program.atomics);
  values("plain", 'p', program.plains);
  values("sem", 's', program.semaphores);
  for (std::size_t i = 0; i < program.mutexes.size(); ++i)
    out << "mutex m" << i << ' ' << k_mutex_kinds[static_cast<std::size_t>(program.mutexes[i])] << '\n';
  for (int i = 0; i < program.conditions; ++i) out << "cond c" << i << '\n';
  for (int i = 0; i < program.rwlocks; ++i) out << "rwlock w" << i << '\n';
  for (const Ordering& ordering : program.orderings) {
    out << "order " << ordering.event;
    for (const std::vector<Atom>& all : ordering.alternatives) {
      if (&all != &ordering.alternatives.front()) out << " |";
      for (const Atom& atom : all)
        out << (atom.blocks ? " [" : " ") << atom.event << (atom.blocks ? "]" : "");
    }
    out << '\n';
  }
  for (std::size_t i = 0; i < program.threads.size(); ++i) {
    out << "thread " << i << '\n';
    write_body(out, program.threads[i]);
  }
  for (std::size_t i = 0; i < program.destructors.size(); ++i) {
    out << "destructor " << i << '\n';
    write_body(out, program.destructors[i]);
  }
  for (const Expectation& expectation : program.expectations)
    out << "expect " << expectation.preemptions << ' ' << expectation.status << ' '
        << (expectation.output.empty() ? "-" : escape(expectation.output)) << '\n';
  return out.str();
}

std::string schedule_of(const Program& program) {
  std::ostringstream out;
  for (const Ordering& ordering : program.orderings) {
    if (&ordering != &program.orderings.front()) out << ", ";
    for (const std::vector<Atom>& all : ordering.alternatives) {
      if (&all != &ordering.alternatives.front()) out << " || ";
      for (const Atom& atom : all)
        out << (&atom == &all.front() ? "" : " && ") << (atom.blocks ? "[e" : "e") << atom.event
            << (atom.blocks ? "]" : "");
    }
    out << "->e" << ordering.event;
  }
  return out.str();
}

// The counter of a loop is in the slot of its nesting depth, which is args[1] of the loop.
void resolve_jumps(std::vector<Op>& body) {
  std::vector<int> open;
  int loops = 0;
  for (int i = 0; i < static_cast<int>(body.size()); ++i) {
    Op& op = body[static_cast<std::size_t>(i)];
    if (op.code == OpCode::loop || op.code == OpCode::if_ || op.code == OpCode::while_) {
      open.push_back(i);
      if (op.code == OpCode::loop) {
        if (loops == k_loop_depth) throw SyntaxError("loops are nested too deeply");
        op.args[1] = loops++;
      }
    } else if (op.code == OpCode::end) {
      if (open.empty()) throw SyntaxError("an end too many");
      Op& opening = body[static_cast<std::size_t>(open.back())];
      op.jump = open.back();
      opening.jump = i + 1;
      if (opening.code == OpCode::loop) --loops;
      open.pop_back();
    }
  }
  if (!open.empty()) throw SyntaxError("an end is missing");
}

bool compare(int left, int comparison, int right) {
  switch (comparison) {
  case 0:
    return left == right;
  case 1:
    return left != right;
  case 2:
    return left < right;
  default:
    return left > right;
  }
}

std::string_view comparison_name(int comparison) {
  return k_comparisons[static_cast<std::size_t>(comparison)];
}

std::string escape(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '\n') {
      result += "\\n";
    } else if (c == ' ') {
      result += "\\s";
    } else if (c == '\\') {
      result += "\\\\";
    } else {
      result += c;
    }
  }
  return result;
}

std::string unescape(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) {
      ++i;
      result += text[i] == 'n' ? '\n' : text[i] == 's' ? ' ' : text[i];
    } else {
      result += text[i];
    }
  }
  return result;
}

} // namespace reex::model
