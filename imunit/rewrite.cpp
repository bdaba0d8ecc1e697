#include "imunit/rewrite.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "edits/header.h"
#include "edits/lines.h"

namespace reex::inference {
namespace {

constexpr std::size_t k_most_columns = 100;

class Rewriter {
public:
  Rewriter(const Inference& inference, const Source& source, const RewriteParts& parts)
      : m_inference(inference), m_source(source), m_text(source.text()), m_parts(parts) {}

  Rewriting rewrite() {
    const int test = test_function();
    if (m_inference.schedule.orderings.empty()) return refused("no sleep orders anything");
    if (test < 0) return refused("the test's function is not in the file");
    const Function& function = m_source.functions()[static_cast<std::size_t>(test)];
    if (m_text.substr(function.open, function.close - function.open).find("REEX_SCHEDULE") !=
        std::string::npos)
      return refused("it has a schedule already");
    m_result.edits = including_header(m_text);
    insert_first(test, schedule_text(indentation_in(test)));
    for (const auto& [number, name] : m_inference.threads)
      insert_first(number, fmt::format("REEX_THREAD(\"{}\");", name));
    insert_events();
    if (m_parts.removes_sleeps)
      for (const StatementId at : m_inference.sleeps) remove(at);
    return std::move(m_result);
  }

private:
  static Rewriting refused(const std::string& why) { return {{}, why}; }

  int test_function() const {
    for (const LogEntry& entry : m_inference.log)
      if (entry.thread == 0 && entry.statement != k_no_statement)
        return m_source.function_of(entry.statement);
    return -1;
  }

  // Of the statements of a function.
  std::string indentation_in(int number) const {
    for (const Statement& statement : m_source.statements())
      if (statement.function == number && is_first_on_line(m_text, statement.begin))
        return indentation(m_text, statement.begin);
    return indentation(m_text, m_source.functions()[static_cast<std::size_t>(number)].open) + "  ";
  }

  std::string indentation_in_block(StatementId block) const {
    for (const Statement& statement : m_source.statements())
      if (statement.parent == block && is_first_on_line(m_text, statement.begin))
        return indentation(m_text, statement.begin);
    return indentation(m_text, m_source.statements()[static_cast<std::size_t>(block)].begin) + "  ";
  }

  void insert(std::size_t offset, const std::string& text) { m_result.edits.push_back({offset, 0, text}); }

  std::string schedule_text(const std::string& indent) const {
    const std::string open = "REEX_SCHEDULE(";
    std::vector<std::string> lines(1);
    for (const Ordering& ordering : m_inference.schedule.orderings) {
      const bool last = &ordering == &m_inference.schedule.orderings.back();
      const std::string part = ordering.text() + (last ? "" : ", ");
      if (!lines.back().empty() &&
          indent.size() + open.size() + lines.back().size() + part.size() + 4 > k_most_columns)
        lines.emplace_back();
      lines.back() += part;
    }
    std::string text = open;
    for (std::size_t i = 0; i < lines.size(); ++i)
      text += (i == 0 ? "" : '\n' + indent + std::string(open.size(), ' ')) + '"' + lines[i] + '"';
    return text + ");";
  }

  // As the first statement of a function.
  void insert_first(int number, const std::string& statement) {
    const std::size_t behind = m_source.functions()[static_cast<std::size_t>(number)].open + 1;
    std::size_t next = behind;
    while (next < m_text.size() && is_blank(m_text[next])) ++next;
    if (next < m_text.size() && m_text[next] == '\n')
      insert(behind, '\n' + indentation_in(number) + statement);
    else
      insert(behind, ' ' + statement);
  }

  void insert_events() {
    std::vector<Event> events = m_inference.events;
    std::stable_sort(events.begin(), events.end(), [](const Event& a, const Event& b) {
      return a.name.starts_with("finished") && !b.name.starts_with("finished");
    });
    std::map<StatementId, std::vector<std::string>> places;
    for (const Event& event : events)
      places[place_of(event.statement)].push_back("REEX_EVENT(" + event.name + ");");
    for (const auto& [at, statements] : places)
      if (is_end(at))
        insert_at_end(m_source.functions()[static_cast<std::size_t>(function_of_end(at))].close,
                      indentation_in(function_of_end(at)), statements);
      else if (m_source.is_block(at))
        insert_at_end(m_source.statements()[static_cast<std::size_t>(at)].end - 1, indentation_in_block(at),
                      statements);
      else
        insert_before(at, statements);
  }

  // At the end of a function that returns, before the return.
  StatementId place_of(StatementId at) const {
    if (!is_end(at)) return at;
    const std::vector<StatementId> all = m_source.siblings(at);
    if (!all.empty() &&
        m_source.statements()[static_cast<std::size_t>(all.back())].kind == Statement::Kind::leave)
      return all.back();
    return at;
  }

  void insert_before(StatementId at, const std::vector<std::string>& statements) {
    const Statement& of = m_source.statements()[static_cast<std::size_t>(at)];
    const bool own_line = of.braced && is_first_on_line(m_text, of.begin);
    std::string text = of.braced ? "" : "{ ";
    for (const std::string& statement : statements)
      text += own_line ? indentation(m_text, of.begin) + statement + '\n' : statement + ' ';
    insert(own_line ? line_begin(m_text, of.begin) : of.begin, text);
    if (!of.braced) insert(of.end, " }");
  }

  // Before a '}'.
  void insert_at_end(std::size_t close, const std::string& indent,
                     const std::vector<std::string>& statements) {
    const bool own_line = is_first_on_line(m_text, close);
    std::string text;
    for (const std::string& statement : statements)
      text += own_line ? indent + statement + '\n' : statement + ' ';
    if (own_line) return insert(line_begin(m_text, close), text);
    if (!is_blank(m_text[close - 1])) text.insert(text.begin(), ' ');
    insert(close, text);
  }

  void remove(StatementId at) {
    const Statement& of = m_source.statements()[static_cast<std::size_t>(at)];
    if (!of.braced) {
      m_result.edits.push_back({of.begin, of.end - of.begin, "{}"});
      return;
    }
    std::size_t behind = of.end;
    while (behind < m_text.size() && is_blank(m_text[behind])) ++behind;
    const bool comment = m_text.compare(behind, 2, "//") == 0;
    const bool alone =
        is_first_on_line(m_text, of.begin) && (behind >= m_text.size() || m_text[behind] == '\n' || comment);
    if (!alone) {
      m_result.edits.push_back({of.begin, behind - of.begin, ""});
      return;
    }
    const std::size_t begin = line_begin(m_text, of.begin);
    m_result.edits.push_back({begin, std::min(line_end(m_text, of.end) + 1, m_text.size()) - begin, ""});
  }

  const Inference& m_inference;
  const Source& m_source;
  const std::string& m_text;
  RewriteParts m_parts;
  Rewriting m_result;
};

} // namespace

Rewriting rewrite(const Inference& inference, const Source& source, const RewriteParts& parts) {
  return Rewriter(inference, source, parts).rewrite();
}

} // namespace reex::inference
