// The language of schedules: what a text says, as a table of events, conditions and orderings. docs/imunit.md
// has the grammar.
//
//   schedule  = [ ordering { "," ordering } ] ;
//   ordering  = condition "->" basic ;
//   condition = conj { "||" conj } ;
//   conj      = prim { "&&" prim } ;
//   prim      = basic | "[" basic "]" | "(" condition ")" ;
//   basic     = name [ "#" number ] [ "@" thread ] | "start" "@" thread | "end" "@" thread ;
//   name      = id { ("." | "::") id } ;
//   thread    = id | '"' any but quote '"' ;
//
// Callers: tests (at compile time and at run time), the runtime inside the test, reports. Everything is
// constexpr, allocates nothing and needs no library.
//
// Errors: parse() never throws. Where the text is wrong, `error.message` says what to write instead and
// `error.column` where, from 1 on; nothing else of the result is of use then.
//
// Cost: linear in the text, apart from the search for a cycle, which is cubic in the events (64 at most).
//
// Source: Jagannath, "Improved Multithreaded Unit Testing", 2012, Figure 3.2. The precedence of && and ||,
// "#" and quoted threads are ours.
#pragma once

#include <cstdint>

namespace reex {
namespace imunit {

constexpr unsigned k_max_events = 64; // a set of events is a word
constexpr unsigned k_max_nodes = 256;
constexpr unsigned k_max_orderings = 64;
constexpr unsigned k_max_text = 2048;
constexpr unsigned k_max_number = 9999;
constexpr unsigned k_max_depth = 64; // of parentheses

// A part of the text.
struct Span {
  std::uint16_t begin = 0;
  std::uint16_t length = 0;
};

enum class EventKind : std::uint8_t { event, start, end };

struct Event {
  EventKind kind = EventKind::event;
  std::uint16_t number = 0; // the occurrence that is meant; 0: not given, the only one
  Span name;                // empty for start and end
  Span thread;              // empty: any
  std::uint16_t at = 0;     // where it is first named
};

// basic: the event `left` has occurred. block: and its thread is blocked. both, either: of two nodes.
enum class NodeKind : std::uint8_t { basic, block, both, either };

struct Node {
  NodeKind kind = NodeKind::basic;
  std::uint8_t left = 0;
  std::uint8_t right = 0;
};

struct Ordering {
  std::uint8_t condition = 0; // a node
  std::uint8_t event = 0;     // that waits for it
  Span text;
};

struct SyntaxError {
  const char* message = nullptr; // null: none
  unsigned column = 0;
};

struct ParsedSchedule {
  char text[k_max_text] = {};
  std::uint16_t length = 0;
  std::uint16_t events = 0, nodes = 0, orderings = 0;
  Event event[k_max_events] = {};
  Node node[k_max_nodes] = {};
  Ordering ordering[k_max_orderings] = {};
  SyntaxError error = {};

  constexpr bool ok() const { return error.message == nullptr; }
};

constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// Reads the names of two texts beside each other, "::" like ".".
class NameReader {
public:
  constexpr NameReader(const char* text, unsigned length) : m_text(text), m_left(length) {}

  // The next character; 0 at the end.
  constexpr char next() {
    while (m_left != 0 && is_space(*m_text)) skip(1);
    if (m_left == 0) return 0;
    const bool colons = m_left >= 2 && m_text[0] == ':' && m_text[1] == ':';
    const char c = colons ? '.' : *m_text;
    skip(colons ? 2 : 1);
    return c;
  }

private:
  constexpr void skip(unsigned count) {
    m_text += count;
    m_left -= count;
  }

  const char* m_text;
  unsigned m_left;
};

constexpr bool same_name(const char* a, unsigned a_length, const char* b, unsigned b_length) {
  NameReader left(a, a_length);
  NameReader right(b, b_length);
  for (;;) {
    const char c = left.next();
    if (c != right.next()) return false;
    if (c == 0) return true;
  }
}

constexpr bool same_text(const char* a, unsigned a_length, const char* b, unsigned b_length) {
  if (a_length != b_length) return false;
  for (unsigned i = 0; i < a_length; ++i)
    if (a[i] != b[i]) return false;
  return true;
}

constexpr unsigned length_of(const char* text) {
  unsigned length = 0;
  while (text[length] != 0) ++length;
  return length;
}

constexpr std::uint64_t event_bit(unsigned event) { return std::uint64_t{1} << event; }

// Recursive descent. After an error, every function returns at once.
class Parser {
public:
  constexpr explicit Parser(ParsedSchedule& result) : m_result(result) {}

  constexpr void read(const char* text, unsigned length) {
    if (length >= k_max_text) return fail("a schedule has at most 2047 characters: split it", k_max_text - 1);
    for (unsigned i = 0; i < length; ++i) m_result.text[i] = text[i];
    m_result.length = static_cast<std::uint16_t>(length);
    schedule();
    if (m_result.ok()) find_cycle();
  }

private:
  constexpr void fail(const char* message, unsigned at) {
    if (!m_result.ok()) return;
    m_result.error.message = message;
    m_result.error.column = at + 1;
  }
  constexpr bool ok() const { return m_result.ok(); }
  constexpr char here() const { return m_at < m_result.length ? m_result.text[m_at] : '\0'; }
  constexpr char behind() const { return m_at + 1u < m_result.length ? m_result.text[m_at + 1] : '\0'; }
  constexpr void space() {
    while (is_space(here())) ++m_at;
  }
  // Whether the next token is this one, of one or two characters. If so, it is read.
  constexpr bool take(char first, char second = '\0') {
    space();
    if (here() != first || (second != '\0' && behind() != second)) return false;
    m_at += second == '\0' ? 1 : 2;
    return true;
  }

  constexpr void schedule() {
    space();
    if (m_at == m_result.length) return;
    for (;;) {
      ordering();
      if (!ok() || m_at == m_result.length) return;
      if (!take(',')) return unexpected("\",\" or the end of the schedule is missing here");
      space();
      if (m_at == m_result.length) return fail("an ordering is missing behind \",\": a->b", m_at);
    }
  }

  constexpr void unexpected(const char* otherwise) {
    space();
    const char c = here();
    if (c == '-' && behind() == '>') return fail("write a->b, b->c instead of a->b->c", m_at);
    if (c == '&' && behind() != '&') return fail("write && for and", m_at);
    if (c == '|' && behind() != '|') return fail("write || for or", m_at);
    if (c == '-' || c == '=') return fail("write -> between a condition and its event", m_at);
    if (c == '!') return fail("there is no negation: order the events by ->", m_at);
    if (c == ';') return fail("write \",\" between orderings", m_at);
    if (c == ')') return fail("this \")\" has no \"(\"", m_at);
    if (c == ']') return fail("this \"]\" has no \"[\"", m_at);
    if (c == '#') return fail("write the number before the thread: a#2@t", m_at);
    fail(otherwise, m_at);
  }

  constexpr void ordering() {
    space();
    const unsigned begin = m_at;
    const unsigned condition = either(0);
    if (!ok()) return;
    if (!take('-', '>')) return unexpected("write -> and the event that waits for this condition");
    space();
    const unsigned at = m_at;
    if (here() == '[') return fail("only a condition can be a block event: write [a]->b", at);
    if (here() == '(') return fail("one event stands behind ->: write a->b, a->c", at);
    const unsigned event = basic();
    if (!ok()) return;
    if (names(condition, event)) return fail("an event cannot wait for itself", at);
    if (m_result.orderings == k_max_orderings) return fail("a schedule has at most 64 orderings", begin);
    const unsigned end = m_at;
    space();
    m_result.ordering[m_result.orderings++] = {
        static_cast<std::uint8_t>(condition), static_cast<std::uint8_t>(event),
        Span{static_cast<std::uint16_t>(begin), static_cast<std::uint16_t>(end - begin)}};
  }

  constexpr unsigned either(unsigned depth) {
    unsigned node = both(depth);
    while (ok() && take('|', '|')) node = add({NodeKind::either, low(node), low(both(depth))});
    return node;
  }

  constexpr unsigned both(unsigned depth) {
    unsigned node = prim(depth);
    while (ok() && take('&', '&')) node = add({NodeKind::both, low(node), low(prim(depth))});
    return node;
  }

  constexpr unsigned prim(unsigned depth) {
    space();
    const unsigned at = m_at;
    if (depth == k_max_depth) return fail("at most 64 parentheses may stand in each other", at), 0u;
    if (take('(')) {
      const unsigned node = either(depth + 1);
      if (ok() && !take(')')) close("\")\" is missing", at);
      return node;
    }
    if (take('[')) return block(at);
    const unsigned event = basic();
    return ok() ? add({NodeKind::basic, low(event), 0}) : 0;
  }

  constexpr unsigned block(unsigned at) {
    space();
    const unsigned inside = m_at;
    const unsigned event = basic();
    if (!ok()) return 0;
    if (m_result.event[event].kind == EventKind::end)
      return fail("a thread that has ended is never blocked: write end@t without [ ]", inside), 0u;
    if (!take(']')) {
      space();
      close(m_at == m_result.length ? "\"]\" is missing" : "one event stands in [ ]: write [a] && [b]", at);
    }
    return ok() ? add({NodeKind::block, low(event), 0}) : 0;
  }

  // A bracket is not closed here; at the end of the text, the column is that of the bracket.
  constexpr void close(const char* message, unsigned opened) {
    space();
    fail(message, m_at == m_result.length ? opened : m_at);
  }

  constexpr unsigned basic() {
    space();
    Event event;
    event.at = static_cast<std::uint16_t>(m_at);
    event.name = name();
    if (!ok()) return 0;
    const char* const word = m_result.text + event.name.begin;
    if (same_text(word, event.name.length, "start", 5)) event.kind = EventKind::start;
    if (same_text(word, event.name.length, "end", 3)) event.kind = EventKind::end;
    space();
    if (event.kind != EventKind::event && here() == '#')
      return fail("a thread starts and ends once: write start@t and end@t without #", m_at), 0u;
    if (take('#')) event.number = number();
    if (!ok()) return 0;
    if (take('@')) {
      event.thread = thread();
    } else if (event.kind != EventKind::event) {
      return fail("start and end are of a thread: write start@t, end@t", event.at), 0u;
    }
    if (event.kind != EventKind::event) event.name = {};
    return ok() ? event_of(event) : 0;
  }

  constexpr Span name() {
    const unsigned begin = m_at;
    for (;;) {
      if (!is_letter(here())) {
        if (is_digit(here())) return fail("a name begins with a letter or _", m_at), Span{};
        if (here() == '"') return fail("only a thread may stand in quotes: a@\"t 1\"", m_at), Span{};
        if (here() == '@')
          return fail("the event of this thread is missing: a@t, start@t, end@t", m_at), Span{};
        if (here() == '[') return fail("one event stands in [ ]: write [a] && [b]", m_at), Span{};
        if (here() == '-' && behind() == '>')
          return fail("the condition is missing before ->: start@t->a", m_at), Span{};
        unexpected("an event is missing here");
        return {};
      }
      while (is_letter(here()) || is_digit(here())) ++m_at;
      const unsigned end = m_at;
      if (take('.') || take(':', ':')) {
        space();
        continue;
      }
      m_at = end;
      return {static_cast<std::uint16_t>(begin), static_cast<std::uint16_t>(end - begin)};
    }
  }

  constexpr std::uint16_t number() {
    space();
    const unsigned begin = m_at;
    unsigned value = 0;
    while (is_digit(here()) && value <= k_max_number)
      value = value * 10 + static_cast<unsigned>(m_result.text[m_at++] - '0');
    if (m_at == begin)
      fail("a number is missing behind #: a#2 is the second a", begin);
    else if (value == 0)
      fail("occurrences are counted from 1 on: a#1", begin);
    else if (value > k_max_number)
      fail("an event has at most 9999 occurrences", begin);
    return static_cast<std::uint16_t>(value);
  }

  constexpr Span thread() {
    space();
    unsigned begin = m_at;
    if (here() == '"') {
      begin = ++m_at;
      while (m_at < m_result.length && here() != '"' && static_cast<unsigned char>(here()) >= ' ') ++m_at;
      if (here() != '"') return fail("the quote of this thread is not closed", begin - 1), Span{};
      if (m_at == begin) return fail("the name of a thread is missing in the quotes", begin - 1), Span{};
      ++m_at;
      return {static_cast<std::uint16_t>(begin), static_cast<std::uint16_t>(m_at - 1 - begin)};
    }
    if (!is_letter(here()))
      return fail("the name of a thread is missing behind @; other than letters needs quotes", m_at), Span{};
    while (is_letter(here()) || is_digit(here())) ++m_at;
    return {static_cast<std::uint16_t>(begin), static_cast<std::uint16_t>(m_at - begin)};
  }

  constexpr bool is_same(const Event& a, const Event& b) const {
    const char* const text = m_result.text;
    return a.kind == b.kind && a.number == b.number &&
           same_name(text + a.name.begin, a.name.length, text + b.name.begin, b.name.length) &&
           same_text(text + a.thread.begin, a.thread.length, text + b.thread.begin, b.thread.length);
  }

  constexpr unsigned event_of(const Event& event) {
    for (unsigned i = 0; i < m_result.events; ++i)
      if (is_same(m_result.event[i], event)) return i;
    if (m_result.events == k_max_events) return fail("a schedule has at most 64 events", event.at), 0u;
    m_result.event[m_result.events] = event;
    return m_result.events++;
  }

  constexpr unsigned add(Node node) {
    if (!ok()) return 0;
    if (m_result.nodes == k_max_nodes)
      return fail("the conditions are too long: split the schedule", m_at), 0u;
    m_result.node[m_result.nodes] = node;
    return m_result.nodes++;
  }
  static constexpr std::uint8_t low(unsigned index) { return static_cast<std::uint8_t>(index); }

  constexpr bool names(unsigned number, unsigned event) const {
    const Node& node = m_result.node[number];
    if (node.kind == NodeKind::basic || node.kind == NodeKind::block) return node.left == event;
    return names(node.left, event) || names(node.right, event);
  }

  // The events that must all have occurred. Nothing is said of a condition with ||.
  constexpr std::uint64_t needed(unsigned number, bool& certain) const {
    const Node& node = m_result.node[number];
    if (node.kind == NodeKind::basic || node.kind == NodeKind::block) return event_bit(node.left);
    if (node.kind == NodeKind::either) certain = false;
    return needed(node.left, certain) | needed(node.right, certain);
  }

  // Whether `first` always comes before `then`, whatever the schedule says.
  constexpr bool precedes(const Event& first, const Event& then) const {
    const char* const text = m_result.text;
    if (!same_text(text + first.thread.begin, first.thread.length, text + then.thread.begin,
                   then.thread.length))
      return false;
    if (first.thread.length != 0 && first.kind != then.kind &&
        (first.kind == EventKind::start || then.kind == EventKind::end))
      return true;
    return first.kind == EventKind::event && then.kind == EventKind::event &&
           same_name(text + first.name.begin, first.name.length, text + then.name.begin, then.name.length) &&
           (first.number == 0 ? 1 : first.number) < then.number;
  }

  // before[i]: the events that come before i in every execution that satisfies the schedule.
  constexpr void find_cycle() {
    std::uint64_t before[k_max_events] = {};
    for (unsigned i = 0; i < m_result.events; ++i)
      for (unsigned j = 0; j < m_result.events; ++j)
        if (i != j && precedes(m_result.event[j], m_result.event[i])) before[i] |= event_bit(j);
    for (unsigned i = 0; i < m_result.orderings; ++i) {
      const Ordering& ordering = m_result.ordering[i];
      bool certain = true;
      const std::uint64_t events = needed(ordering.condition, certain);
      if (!certain) continue;
      before[ordering.event] |= events;
      for (unsigned k = 0; k < m_result.events; ++k)
        for (unsigned j = 0; j < m_result.events; ++j)
          if ((before[j] & event_bit(k)) != 0) before[j] |= before[k];
      for (unsigned j = 0; j < m_result.events; ++j)
        if ((before[j] & event_bit(j)) != 0)
          return fail("nothing can satisfy this ordering and those before it: they form a cycle",
                      ordering.text.begin);
    }
  }

  ParsedSchedule& m_result;
  unsigned m_at = 0;
};

constexpr ParsedSchedule parse(const char* text, unsigned length) {
  ParsedSchedule result;
  Parser(result).read(text, length);
  return result;
}
constexpr ParsedSchedule parse(const char* text) { return parse(text, length_of(text)); }

// Writes parts of a schedule in the normal form: one space around -> && ||, none elsewhere, and no
// parentheses but those that are needed. What does not fit into `size` is left out; the text always ends
// with 0.
class Printer {
public:
  constexpr Printer(const ParsedSchedule& schedule, char* out, unsigned size)
      : m_schedule(schedule), m_out(out), m_size(size) {
    if (size != 0) out[0] = 0;
  }

  constexpr void whole() {
    for (unsigned i = 0; i < m_schedule.orderings; ++i) {
      if (i != 0) put(", ");
      ordering(i);
    }
  }
  constexpr void ordering(unsigned number) {
    condition(m_schedule.ordering[number].condition);
    put(" -> ");
    event(m_schedule.ordering[number].event);
  }
  constexpr void condition(unsigned number) {
    const Node& node = m_schedule.node[number];
    switch (node.kind) {
    case NodeKind::basic:
      return event(node.left);
    case NodeKind::block:
      put("[");
      event(node.left);
      return put("]");
    case NodeKind::both:
      inner(node.left, is(node.left, NodeKind::either));
      put(" && ");
      return inner(node.right, is(node.right, NodeKind::either) || is(node.right, NodeKind::both));
    case NodeKind::either:
      inner(node.left, false);
      put(" || ");
      return inner(node.right, is(node.right, NodeKind::either));
    }
  }
  constexpr void event(unsigned number) {
    const Event& event = m_schedule.event[number];
    if (event.kind == EventKind::start)
      put("start");
    else if (event.kind == EventKind::end)
      put("end");
    else
      name(event.name);
    if (event.number != 0) {
      put("#");
      decimal(event.number);
    }
    if (event.thread.length == 0) return;
    put("@");
    const bool quoted = !is_id(event.thread);
    if (quoted) put("\"");
    for (unsigned i = 0; i < event.thread.length; ++i) put(m_schedule.text[event.thread.begin + i]);
    if (quoted) put("\"");
  }
  constexpr void put(const char* text) {
    while (*text != 0) put(*text++);
  }
  constexpr void decimal(unsigned value) {
    if (value >= 10) decimal(value / 10);
    put(static_cast<char>('0' + value % 10));
  }

private:
  constexpr bool is(unsigned node, NodeKind kind) const { return m_schedule.node[node].kind == kind; }
  constexpr void inner(unsigned node, bool in_parentheses) {
    if (in_parentheses) put("(");
    condition(node);
    if (in_parentheses) put(")");
  }
  constexpr void name(Span name) {
    NameReader reader(m_schedule.text + name.begin, name.length);
    for (char c = reader.next(); c != 0; c = reader.next()) put(c);
  }
  constexpr bool is_id(Span text) const {
    if (!is_letter(m_schedule.text[text.begin])) return false;
    for (unsigned i = 0; i < text.length; ++i)
      if (const char c = m_schedule.text[text.begin + i]; !is_letter(c) && !is_digit(c)) return false;
    return true;
  }
  constexpr void put(char c) {
    if (m_at + 1 >= m_size) return;
    m_out[m_at++] = c;
    m_out[m_at] = 0;
  }

  const ParsedSchedule& m_schedule;
  char* m_out;
  unsigned m_size;
  unsigned m_at = 0;
};

} // namespace imunit
} // namespace reex
