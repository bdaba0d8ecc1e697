#include "promotion/case_text.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

namespace reex::promotion {
namespace {

bool is_catch_or_doctest(Framework framework) {
  return framework == Framework::catch2 || framework == Framework::catch2_v2 ||
         framework == Framework::doctest;
}

std::string_view head_of(const std::string& text, const impact::FunctionText& function) {
  return std::string_view(text).substr(function.begin, function.body - function.begin);
}

// Whether a function is a case of the framework, by what stands before its body.
bool is_case(const std::string& text, const impact::FunctionText& function, Framework framework) {
  const std::string_view head = head_of(text, function);
  if (framework == Framework::googletest)
    return function.name.ends_with("_Test::TestBody") && head.starts_with("TEST");
  return is_catch_or_doctest(framework) && (head.starts_with("TEST_CASE") || head.starts_with("SCENARIO"));
}

std::string class_of_case(const std::string& test_name) { // of GoogleTest
  std::string made = test_name;
  std::replace(made.begin(), made.end(), '.', '_');
  return made + "_Test::TestBody";
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  const std::size_t at = text.find(what);
  return at == std::string::npos ? text : text.replace(at, what.size(), with);
}

// The head of the copy: "TEST(Suite, NameUnderSchedule) ".
std::string new_head(std::string head, const CaseRequest& request) {
  const std::string name = new_name_of(request);
  if (is_catch_or_doctest(request.framework))
    return replaced(std::move(head), '"' + request.test_name + '"', '"' + name + '"');
  if (request.framework != Framework::googletest) return head;
  const std::size_t open = head.find('(');
  const std::size_t dot = name.find('.');
  return head.substr(0, open) + '(' + name.substr(0, dot) + ", " + name.substr(dot + 1) + ") ";
}

std::string escaped(const std::string& text) {
  std::string made;
  for (const char c : text) made += c == '"' || c == '\\' ? std::string{'\\', c} : std::string{c};
  return made;
}

// Long schedules are broken behind commas.
std::string literal(const std::string& schedule) {
  std::string made = "\"";
  std::size_t column = 0;
  for (std::size_t i = 0; i < schedule.size(); ++i) {
    made += escaped(schedule.substr(i, 1));
    ++column;
    if (column > 70 && schedule[i] == ' ' && i > 0 && schedule[i - 1] == ',') {
      made += "\"\n      \"";
      column = 0;
    }
  }
  return made + '"';
}

std::string in_range(const std::string& text, const std::string& file,
                     const std::vector<Insertion>& insertions, std::size_t begin, std::size_t end) {
  std::vector<Insertion> inside;
  for (Insertion each : insertions) {
    if (each.place.file != file || each.place.begin < begin || each.place.end > end) continue;
    each.place.begin -= begin;
    each.place.end -= begin;
    inside.push_back(std::move(each));
  }
  return with_insertions(std::string_view(text).substr(begin, end - begin), file, inside);
}

std::string with_first_statement(std::string body, const std::string& statement) {
  return body.insert(1, "\n  " + statement);
}

std::string lines(const std::vector<std::string>& statements) {
  std::string made;
  for (const std::string& statement : statements) made += statement + "\n  ";
  return made;
}

std::string new_case(const std::string& text, const std::string& file, const CaseRange& range,
                     const std::vector<Insertion>& insertions, const CaseRequest& request) {
  const std::string head = new_head(text.substr(range.begin, range.body - range.begin), request);
  const std::string body = in_range(text, file, insertions, range.body, range.end);
  const std::string statement =
      fmt::format("{}({}){};", request.expect == Expect::infeasible ? "REEX_INFEASIBLE" : "REEX_SCHEDULE",
                  literal(request.schedule), request.expect == Expect::passes ? ".infeasible_ok()" : "");
  return "// " + request.remark + '\n' + head +
         with_first_statement(body, lines(request.declarations) + statement);
}

} // namespace

CaseRange find_case(const std::string& text, const impact::SourceShape& shape, Framework framework,
                    const std::string& test_name) {
  if (framework != Framework::none && framework != Framework::googletest && !is_catch_or_doctest(framework))
    throw std::invalid_argument("cases of this test framework cannot be copied yet: keep the schedule file");
  if (test_name.find('/') != std::string::npos && framework == Framework::googletest)
    throw std::invalid_argument(
        test_name +
        " is one of several tests that a macro makes of one text: write a TEST of its own, and explore that");
  for (const impact::FunctionText& function : shape.functions) {
    const bool found =
        framework == Framework::none ? function.name == "main"
        : framework == Framework::googletest
            ? function.name.ends_with(class_of_case(test_name)) && is_case(text, function, framework)
            : is_case(text, function, framework) &&
                  head_of(text, function).find('"' + test_name + '"') != std::string_view::npos;
    if (found) return {.begin = function.begin, .body = function.body, .end = function.end};
  }
  throw std::invalid_argument(
      fmt::format("the text of {} was not found: it must be written out, not made by another macro",
                  framework == Framework::none ? "main()" : test_name));
}

std::string new_name_of(const CaseRequest& request) {
  if (!request.new_name.empty()) return request.new_name;
  return is_catch_or_doctest(request.framework) ? request.test_name + " under schedule"
                                                : request.test_name + "UnderSchedule";
}

std::string beside(const std::string& text, const std::string& file, const CaseRange& range,
                   const std::vector<Insertion>& insertions, const CaseRequest& request) {
  std::string made = in_range(text, file, insertions, 0, range.begin);
  made += text.substr(range.begin, range.end - range.begin);
  made += "\n\n" + new_case(text, file, range, insertions, request);
  made += in_range(text, file, insertions, range.end, text.size());
  return with_header(made);
}

std::string alone(const std::string& text, const std::string& file, const impact::SourceShape& shape,
                  const CaseRange& range, const std::vector<Insertion>& insertions,
                  const CaseRequest& request) {
  std::string made;
  std::size_t done = 0;
  const auto keep_until = [&](std::size_t end) {
    if (end > done) made += in_range(text, file, insertions, done, end);
  };
  for (const impact::FunctionText& function : shape.functions) {
    if (function.begin < done) continue;
    if (function.begin == range.begin) {
      keep_until(range.begin);
      made += new_case(text, file, range, insertions, request);
      done = range.end;
    } else if (is_case(text, function, request.framework)) {
      keep_until(function.begin);
      done = function.end;
      while (done < text.size() && text[done] == '\n') ++done;
    }
  }
  keep_until(text.size());
  return with_header(made);
}

std::string probe(const std::string& text, const std::string& file, const CaseRange& range,
                  const std::vector<Insertion>& insertions, const std::vector<std::string>& declarations) {
  std::string made = in_range(text, file, insertions, 0, range.body);
  made += with_first_statement(
      in_range(text, file, insertions, range.body, range.end),
      lines(declarations) +
          fmt::format("::std::optional<::reex::imunit::Schedule> reex_promoted; if (const char* reex_text = "
                      "::std::getenv(\"{}\")) reex_promoted.emplace(::reex::imunit::Plan(reex_text)"
                      ".fail_with(REEX_IMUNIT_FAIL));",
                      k_schedule_variable));
  made += in_range(text, file, insertions, range.end, text.size());
  made = with_header(made);
  return replaced(std::move(made), "#include <reex/imunit.h>\n",
                  "#include <reex/imunit.h>\n#include <cstdlib>\n#include <optional>\n");
}

} // namespace reex::promotion
