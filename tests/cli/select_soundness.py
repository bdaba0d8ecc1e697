#!/usr/bin/env python3
"""select_soundness.py REEX [--seed N]: what --select skips is held against what executions reach.

A program has many ways by which code is called without being named in plain words, each with a place of its own, and
cases of GoogleTest that use some of them at random, in two threads. For each place there is a change that touches
nothing else. `--select` says which cases cannot reach it. Then reex explores every case, without --select, with a
program that aborts where the place is reached: a case that was skipped must not fail in any schedule.
"""
import json
import os
import random
import subprocess
import sys
import tempfile

# (declarations, with PLACE where the change is; the code that gets there)
WAYS = [
    ("inline void plain() {\n  PLACE;\n}", "plain();"),
    ("inline void deep3() {\n  PLACE;\n}\ninline void deep2() { deep3(); }\ninline void deep1() { deep2(); }", "deep1();"),
    ("struct Method { void run(); };\ninline void Method::run() {\n  PLACE;\n}\nstruct Keeper { Method kept; };",
     "Keeper keeper; keeper.kept.run();"),
    ("struct Base1 { virtual ~Base1() = default; virtual void go() {} };\nstruct Derived1 : Base1 {\n  void go() override {\n"
     "    PLACE;\n  }\n};\ninline std::unique_ptr<Base1> make1() { return std::make_unique<Derived1>(); }",
     "auto b = make1(); b->go();"),
    ("struct Guard2 {\n  ~Guard2() {\n    PLACE;\n  }\n};\ninline Guard2 make2() { return {}; }", "auto g = make2(); (void)g;"),
    ("struct From3 {\n  From3(int) {\n    PLACE;\n  }\n};\ninline void take3(const From3&) {}", "take3(3);"),
    ("struct To4 {\n  operator int() const {\n    PLACE;\n    return 4;\n  }\n};\ninline To4 make4() { return {}; }",
     "const int i = make4(); (void)i;"),
    ("namespace n5 {\nstruct Key {\n  int k = 0;\n};\ninline bool operator<(const Key& a, const Key& b) {\n  PLACE;\n"
     "  return a.k < b.k;\n}\n}", "std::set<n5::Key> keys{{2}, {1}}; (void)keys;"),
    ("struct Key6 {\n  int k = 0;\n  bool operator==(const Key6& o) const { return k == o.k; }\n};\ntemplate <> struct std::hash<Key6> {\n"
     "  std::size_t operator()(const Key6& key) const {\n    PLACE;\n    return key.k;\n  }\n};",
     "std::unordered_set<Key6> keys{{6}}; (void)keys;"),
    ("namespace n7 {\nstruct Thing {};\ninline void visit_thing(Thing&) {\n  PLACE;\n}\n}\n"
     "template <class T> void visit_all(T& t) { visit_thing(t); }", "n7::Thing t; visit_all(t);"),
    ("inline void table8a() {\n  PLACE;\n}\ninline void table8b() {}\ninline void (*const g_table8[])() = {table8b, table8a};",
     "g_table8[1]();"),
    ("inline void fast9() {\n  PLACE;\n}\n#define RUN9(how) how##9()", "RUN9(fast);"),
    ("inline int macro10() {\n  PLACE;\n  return 1;\n}\n#define MACRO10 \\\n  (1 + \\\n   macro10())", "const int i = MACRO10; (void)i;"),
    ("template <class T> struct Trait11 {\n  static void apply() {}\n};\ntemplate <> struct Trait11<double> {\n  static void apply() {\n"
     "    PLACE;\n  }\n};\ntemplate <class T> void apply11() { Trait11<T>::apply(); }", "apply11<double>();"),
    ("struct Call12 {\n  void operator()(int) const {\n    PLACE;\n  }\n};\nusing Callback12 = Call12;", "Callback12()(12);"),
    ("struct Stat13 {\n  static int value() {\n    PLACE;\n    return 13;\n  }\n};\ninline int late13(int v = Stat13::value()) { return v; }",
     "late13();"),
    ("inline std::string operator\"\"_way14(const char* s, std::size_t) {\n  PLACE;\n  return s;\n}", "auto s = \"x\"_way14;"),
    ("struct Range15 {\n  int items[2] = {1, 2};\n};\ninline int* begin(Range15& r) {\n  PLACE;\n  return r.items;\n}\n"
     "inline int* end(Range15& r) { return r.items + 2; }", "Range15 r; for (int i : r) (void)i;"),
    ("struct Pool16 {\n  static void* operator new(std::size_t n) {\n    PLACE;\n    return ::operator new(n);\n  }\n"
     "  static void operator delete(void* p) { ::operator delete(p); }\n};", "std::unique_ptr<Pool16> p(new Pool16);"),
    ("struct Error17 {\n  Error17() {\n    PLACE;\n  }\n};\ninline void fail17() { throw Error17(); }",
     "try { fail17(); } catch (...) {}"),
    ("template <class D> struct Crtp18 {\n  void start() { static_cast<D*>(this)->step(); }\n};\nstruct User18 : Crtp18<User18> {\n"
     "  void step() {\n    PLACE;\n  }\n};", "User18 u; u.start();"),
    ("inline std::atomic<int> g_turn19{0};\ninline void late19() {\n  if (g_turn19.fetch_add(1) != 1) return;\n  PLACE;\n}", "late19();"),
    ("inline std::function<void()> g_hook20;\ninline void target20() {\n  PLACE;\n}\ninline void set20() { g_hook20 = target20; }",
     "set20(); g_hook20();"),
    ("enum class Color21 { red };\ninline Color21 operator|(Color21 a, Color21) {\n  PLACE;\n  return a;\n}",
     "auto c = Color21::red | Color21::red; (void)c;"),
]
CASES = 10

HEADER = """#pragma once
#include <atomic>
#include <cstdlib>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <unordered_set>
"""
# It calls nothing of the program: what a changed line calls is impacted, too.
PLACE = 'if (const char* wanted = std::getenv("PLACE"); wanted != nullptr && std::atoi(wanted) == {place}) std::abort()'


def program(rng):
    """The files. Each way has its own: the free functions of a file count as impacted together."""
    files = {f"way{i}.h": HEADER + text.replace("PLACE", PLACE.format(place=i)) + "\n" for i, (text, _) in enumerate(WAYS)}
    test = "".join(f'#include "{name}"\n' for name in files)
    test += "#include <gtest/gtest.h>\n#include <thread>\n"
    test += "namespace {\nstd::atomic<int> g_steps{0};\nclass Fixture : public testing::Test {};\n"
    for case in range(CASES):
        ways = rng.sample(range(len(WAYS)), rng.randint(0, 3))
        calls = "".join(f"    {{ {WAYS[way][1]} }}\n" for way in ways)
        kind = "TEST_F(Fixture, " if case % 2 else "TEST(Plain, "
        test += (f"{kind}Case{case}) {{\n  std::thread other([] {{\n    ++g_steps;\n{calls}  }});\n  ++g_steps;\n"
                 f"{calls if case % 3 == 0 else ''}  other.join();\n}}\n")
    return {**files, "test.cpp": test + "}\n"}


def diff_of(files, place):
    """The change that added the line of a place."""
    name = f"way{place}.h"
    lines = files[name].split("\n")
    at = next(i for i, line in enumerate(lines) if f"== {place}) std::abort()" in line)
    return f"--- a/{name}\n+++ b/{name}\n@@ -{at},2 +{at},3 @@\n {lines[at - 1]}\n+{lines[at]}\n {lines[at + 1]}\n"


def main():
    reex = os.path.realpath(sys.argv[1])
    seed = int(sys.argv[sys.argv.index("--seed") + 1]) if "--seed" in sys.argv else 1
    files = program(random.Random(seed))
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name, text in files.items():
            with open(name, "w") as file:
                file.write(text)
        flags = subprocess.run([reex, "flags", "--compile"], capture_output=True, text=True, check=True).stdout.split()
        link = subprocess.run([reex, "flags", "--link"], capture_output=True, text=True, check=True).stdout.split()
        with open("compile_commands.json", "w") as file:
            json.dump([{"directory": folder, "file": "test.cpp", "command": "g++ -std=c++17 -c test.cpp"}], file)
        subprocess.run(["g++", "-std=c++17", "-g", *flags, folder + "/test.cpp", "-o", "test", *link, "-lgtest",
                        "-lgtest_main", "-pthread"], check=True)
        subprocess.run(["git", "init", "-q", "."], check=True)
        skipped_at_all, reached_at_all, wrong = 0, 0, []
        for place in range(len(WAYS)):
            with open("place.diff", "w") as file:
                file.write(diff_of(files, place))
            plan = subprocess.run([reex, "--select", "--diff", "place.diff", "--format", "json:selected.json", "--schedules",
                                   "1", "./test"], capture_output=True, text=True)
            assert plan.returncode in (0, 3, 77), plan.stdout + plan.stderr
            with open("selected.json") as file:
                selected = json.load(file)
            skipped = set(selected.get("skipped", []))
            notes = " ".join(selected.get("run_notes", []))
            assert "can reach nothing impacted" in notes, (place, notes)
            subprocess.run([reex, "-q", "--format", "json:all.json", "--bound", "1", "./test"], capture_output=True,
                           env={**os.environ, "PLACE": str(place)})
            with open("all.json") as file:
                runs = json.load(file)["runs"]
            assert len(runs) == CASES, len(runs)
            reached = {run["test"]["name"] for run in runs if run["failures"]}
            wrong += [(place, WAYS[place][1], name) for name in sorted(skipped & reached)]
            skipped_at_all += len(skipped)
            reached_at_all += len(reached)
        everything = len(WAYS) * CASES
        print(f"{everything} cases of {len(WAYS)} changes: {reached_at_all} reach the change, {skipped_at_all} were skipped, "
              f"{len(wrong)} of them wrongly")
        assert not wrong, wrong
        # A graph that reaches everything would be sound, and of no use; one that finds no case, too.
        assert reached_at_all > everything // 20 and skipped_at_all > everything // 3


main()
