// Cutting C++ text into functions and statements.
#include <gtest/gtest.h>

#include "imunit/source/source.h"

namespace reex::inference {
namespace {

// The text of the statement at the first place of `what`.
std::string statement_at(const Source& source, std::string_view what) {
  return std::string(source.text_of(source.statement_at(source.text().find(what))));
}

const Statement& statement_of(const Source& source, std::string_view what) {
  return source.statements()[static_cast<std::size_t>(source.statement_at(source.text().find(what)))];
}

constexpr const char* k_test = R"(#include <thread>
#define BRACE {
// a comment with a { brace
namespace n {
struct Queue {
  explicit Queue(int n) : m_n{n}, m_s("}") {}
  int take() { return m_n; }
  int m_n;
  const char* m_s;
};
enum class Color { red, green };
int table[] = {1, 2};
}
TEST(Queue, Take) {
  n::Queue q(1);
  std::thread adder([&, x = std::pair{1, 2}]() mutable -> void {
    q.add(x.first);
    if (q.full()) std::this_thread::sleep_for(1ms);
    else { q.add(2); }
  });
  auto waiter = std::thread{[&q] { q.wait(R"-(a { ")-"); }};
  for (int i = 0; i < 3; ++i) { q.poll(); }
  while (!done) std::this_thread::yield();
  do { step(); } while (more());
  try { risk(); } catch (const std::exception& e) { note(e); }
  switch (q.take()) { case 1: one(); break; default: other(); }
  EXPECT_EQ(q.take(), 1) << "text; more";
  done = true;
  a[i] = b[j];
  return;
}
)";

TEST(Sources, HaveStatements) {
  const Source source("a.cpp", k_test);
  ASSERT_EQ(source.problem(), "");
  EXPECT_EQ(statement_at(source, "n::Queue q"), "n::Queue q(1);");
  EXPECT_EQ(statement_at(source, "q.add(x.first)"), "q.add(x.first);");
  EXPECT_EQ(statement_at(source, "std::this_thread::sleep"), "std::this_thread::sleep_for(1ms);");
  EXPECT_EQ(statement_at(source, "q.add(2)"), "q.add(2);");
  EXPECT_EQ(statement_at(source, "q.wait"), "q.wait(R\"-(a { \")-\");");
  EXPECT_EQ(statement_at(source, "q.poll"), "q.poll();");
  EXPECT_EQ(statement_at(source, "risk"), "risk();");
  EXPECT_EQ(statement_at(source, "note(e)"), "note(e);");
  EXPECT_EQ(statement_at(source, "one()"), "one();");
  EXPECT_EQ(statement_at(source, "EXPECT_EQ"), "EXPECT_EQ(q.take(), 1) << \"text; more\";");
  EXPECT_EQ(statement_at(source, "b[j]"), "a[i] = b[j];");
}

TEST(Sources, TellStatementsApart) {
  const Source source("a.cpp", k_test);
  EXPECT_EQ(statement_of(source, "n::Queue q").kind, Statement::Kind::declaration);
  EXPECT_EQ(statement_of(source, "EXPECT_EQ").kind, Statement::Kind::plain);
  EXPECT_EQ(statement_of(source, "while (!done)").kind, Statement::Kind::loop);
  EXPECT_EQ(statement_of(source, "try").kind, Statement::Kind::control);
  EXPECT_EQ(statement_of(source, "return;").kind, Statement::Kind::leave);
  EXPECT_TRUE(statement_of(source, "q.poll").in_loop);
  EXPECT_TRUE(statement_of(source, "std::this_thread::yield").in_loop);
  EXPECT_FALSE(statement_of(source, "std::this_thread::sleep").in_loop);
  EXPECT_FALSE(statement_of(source, "std::this_thread::sleep").braced);
  EXPECT_TRUE(statement_of(source, "q.poll").braced);
  EXPECT_NE(statement_of(source, "std::this_thread::sleep").block, statement_of(source, "q.add(2)").block);
}

TEST(Sources, NameWhatIsCalledAndDeclared) {
  const Source source("a.cpp", k_test);
  EXPECT_EQ(statement_of(source, "EXPECT_EQ").calls, std::vector<std::string>{"take"});
  EXPECT_EQ(statement_of(source, "std::thread adder").calls, std::vector<std::string>{});
  EXPECT_EQ(statement_of(source, "done = true").variable, "done");
  const auto name_at = [&](std::string_view what) {
    return source.functions()[static_cast<std::size_t>(source.function_at(source.text().find(what)))].name;
  };
  EXPECT_EQ(name_at("q.add(x.first)"), "adder");
  EXPECT_EQ(name_at("q.wait"), "waiter");
  EXPECT_EQ(name_at("n::Queue q"), "TEST");
}

TEST(Sources, KnowTheEndOfAFunction) {
  const Source source("a.cpp", "void f() {\n  g();\n}\n");
  const StatementId end = source.statement_at(source.text().find('}'));
  ASSERT_TRUE(is_end(end));
  EXPECT_EQ(function_of_end(end), 0);
  EXPECT_EQ(source.line_of(end), 3u);
  EXPECT_EQ(source.statement_at(0), k_no_statement);
}

TEST(Sources, SayWhichOnesCannotBeCut) {
  EXPECT_NE(Source("a.cpp", "void f() {\n#if A\n  if (a) {\n#else\n  if (b) {\n#endif\n  }\n}\n").problem(),
            "");
  EXPECT_NE(Source("a.cpp", "}\n").problem(), "");
  EXPECT_EQ(Source("a.cpp", "").problem(), "");
}

// Whatever the text, it comes to an end.
TEST(Sources, EndForEveryPrefix) {
  const std::string text = k_test;
  for (std::size_t length = 0; length <= text.size(); ++length) {
    const Source source("a.cpp", text.substr(0, length));
    for (const Statement& statement : source.statements()) EXPECT_LE(statement.end, length);
  }
}

} // namespace
} // namespace reex::inference
