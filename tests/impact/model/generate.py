"""Random small C++ programs and random commits of them. The same seed gives the same commit."""

import copy
import random
import re

SYNC = """\
#pragma once
#include <pthread.h>
#include <threads.h>
namespace sync {
struct adopt_lock_t {};
struct defer_lock_t {};
struct try_to_lock_t {};
inline constexpr adopt_lock_t adopt_lock{};
inline constexpr defer_lock_t defer_lock{};
inline constexpr try_to_lock_t try_to_lock{};
class mutex {
public:
  void lock() { m_state = 1; }
  bool try_lock() { return m_state++ == 0; }
  void unlock() { m_state = 0; }
private:
  int m_state = 0;
};
class shared_mutex {
public:
  void lock() { m_users = -1; }
  void unlock() { m_users = 0; }
  void lock_shared() { m_users++; }
  void unlock_shared() { m_users--; }
private:
  int m_users = 0;
};
template <class M> class lock_guard {
public:
  explicit lock_guard(M& m) : m_mutex(m) { m_mutex.lock(); }
  lock_guard(M& m, adopt_lock_t) : m_mutex(m) {}
  ~lock_guard() { m_mutex.unlock(); }
private:
  M& m_mutex;
};
template <class M> class unique_lock {
public:
  explicit unique_lock(M& m) : m_owned(m) { m_owned.lock(); }
  unique_lock(M& m, adopt_lock_t) : m_owned(m) {}
  unique_lock(M& m, defer_lock_t) : m_owned(m) {}
  unique_lock(M& m, try_to_lock_t) : m_owned(m) { m_got = m_owned.try_lock(); }
  ~unique_lock() { m_owned.unlock(); }
  void lock() { m_owned.lock(); }
  void unlock() { m_owned.unlock(); }
  bool owns_lock() const { return m_got; }
private:
  M& m_owned;
  bool m_got = true;
};
template <class M> class shared_lock {
public:
  explicit shared_lock(M& m) : m_shared(m) { m_shared.lock_shared(); }
  ~shared_lock() { m_shared.unlock_shared(); }
private:
  M& m_shared;
};
template <class A, class B> class scoped_lock {
public:
  scoped_lock(A& a, B& b) : m_first(a), m_second(b) { m_first.lock(); m_second.lock(); }
  ~scoped_lock() { m_second.unlock(); m_first.unlock(); }
private:
  A& m_first;
  B& m_second;
};
class Holder {
public:
  explicit Holder(mutex& m) : m_held(m) {}
private:
  lock_guard<mutex> m_held;
};
class once_flag {
public:
  int m_done = 0;
};
template <class F> void call_once(once_flag& flag, F work) {
  if (flag.m_done++ == 0) work();
}
class spin {
public:
  void lock() { m_taken = true; }
  void unlock() { m_taken = false; }
private:
  bool m_taken = false;
};
template <class L> class Vault {
public:
  void put(int value) {
    lock_guard<L> held(m_key);
    m_inside = value;
  }
  int take() {
    m_key.lock();
    int value = m_inside;
    m_key.unlock();
    return value;
  }
private:
  L m_key;
  int m_inside = 0;
};
template <class T> class atomic {
public:
  void store(T value) { m_value = value; }
  T load() const { return m_value; }
  atomic& operator+=(T value) { m_value += value; return *this; }
private:
  T m_value{};
};
}
"""


class Block:
    """A head, statements of its own, and a tail; without a head, statements that stay together."""

    def __init__(self, head, items, tail, body=None):
        self.head, self.items, self.tail = head, items, tail
        self.body = bool(head) if body is None else body  # statements may come and go


class Function:
    def __init__(self, name, file, items, virtual=False):
        self.name, self.file, self.items, self.virtual = name, file, items, virtual


class Class:
    def __init__(self, name, base, fields, nested):
        self.name, self.base, self.fields, self.nested = name, base, fields, nested
        self.methods = []
        self.made = False  # it has a constructor and a destructor
        self.constructor = None  # without these: how its constructor without parameters is declared
        self.values = {}  # the default member initializers that are another one than 0; "" is none
        self.named = []  # the members that its constructors initialize themselves
        self.lines = False  # the head of the constructors has several lines


class Program:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.number = 0
        self.constants = {f"k_{i}": self.random.randint(1, 9) for i in range(2)}
        self.macros = {"M_0": self.random.randint(1, 9)}
        self.plain = {f"q_{i}": " = 1" for i in range(3)}  # an aggregate
        self.globals = [f"g_{i}" for i in range(3)]
        self.defaults = {name: self.default() for name in ("df_0", "df_1")}  # their default arguments
        self.inlined = self.random.random() < 0.5  # the first of them
        self.steps = {name: self.step() for name in ("Row.begin", "Row.end", "Way.begin", "Way.next", "Way.get", "Way.differs")}
        self.classes, self.functions, self.templates = [], [], []
        for i in range(self.random.randint(2, 3)):
            base = self.random.choice([None, *self.classes])
            fields = {f"f_{i}{j}": "int" for j in range(2)}
            fields[f"m_{i}"] = "sync::mutex"
            if self.random.random() < 0.5:
                fields[f"a_{i}"] = "sync::atomic<int>"
            if self.random.random() < 0.3:
                fields[f"va_{i}"] = "sync::Vault<sync::mutex>"
            for name, kind in (("pl", "Plain"), ("r", "Row"), ("w", "Way"), ("sm", "sync::shared_mutex"),
                               ("pm", "pthread_mutex_t"), ("mt", "mtx_t")):
                if self.random.random() < 0.4:
                    fields[f"{name}_{i}"] = kind
            one = Class(f"C{i}", base, fields, self.random.random() < 0.3)
            one.made = bool(base and base.made) or self.random.random() < 0.4
            one.constructor = None if one.made else self.random.choice([None, "= default;", "{}", "a", "b"])
            one.lines = self.random.random() < 0.5
            one.values = {name: value for name, kind in fields.items() if kind == "int" and (value := self.initial())}
            one.named = [name for name in fields if name[0] == "f" and self.random.random() < 0.4]
            self.classes.append(one)
        names = [(f"fn_{i}", self.random.choice("ab")) for i in range(3)]
        self.functions = [Function(name, file, []) for name, file in names]
        self.templates = [Function("tf_0", "h", [])]
        for one in self.classes:
            for j in range(2):
                virtual = j == 0 and self.random.random() < 0.5
                one.methods.append(Function(f"v_{one.name}" if virtual else f"me_{one.name}{j}",
                                            self.random.choice("hab"), [], virtual))
        for one in self.classes:
            for method in one.methods:
                method.items = self.items(one, 2)
        for function in self.functions:
            function.items = self.items(None, 3)
        self.templates[0].items = [self.template_statement() for _ in range(2)]

    def initial(self):
        return self.random.choice([None, None, "", " = 1", "{2}", " = k_0", " = M_0 + 1", " = 3 +\n    k_1"])

    def default(self):
        return self.random.choice(["k_0", "k_1 + 1", "M_0", "g_1", "dh_0()", "dh_0() + g_0", "g_plain.q_1", "dh_0(g_2)", "3"])

    def step(self):
        return self.random.choice(["", "", "g_1++; ", "g_0 = k_0; ", "dh_0(); "])

    def fresh(self, prefix):
        self.number += 1
        return f"{prefix}{self.number}"

    # statements: `owner` is the class of the method, None in a free function, which has a parameter `p`

    def fields(self, owner, kind):
        """Expressions for fields of a type, the globals among the integers."""
        found = list(self.globals) if kind == "int" else []
        one, before = (owner, "") if owner else (self.classes[0], "p.")
        while one:
            found += [before + name for name, of in one.fields.items() if of in (kind, "long" if kind == "int" else kind)]
            one = one.base
        return found

    def value(self, owner):
        ints = self.fields(owner, "int")
        one, other, third = (self.random.choice(ints) for _ in range(3))
        return self.random.choice([str(self.random.randint(1, 9)), "n", *ints, *self.constants,
                                   *self.macros, "k_0 + 1", f"df_{self.random.randint(0, 1)}(n)", f"(n < 3 ? {one} : {other})",
                                   f"({one} < k_0 ? {other} : {third})", f"({one} > 1 && {other} < 4)",
                                   f"({one} > 1 ||\n    {other} < df_0(2))"])

    def items(self, owner, depth):
        return [self.statement(owner, depth) for _ in range(self.random.randint(1, 4))]

    def statement(self, owner, depth):
        pick = self.random.random()
        if depth == 0 or pick < 0.4:
            return self.simple(owner)
        field = self.random.choice(self.fields(owner, "int"))
        mutex = self.random.choice(self.fields(owner, "sync::mutex"))
        inner = self.items(owner, depth - 1)
        if pick < 0.55:
            guard = self.random.choice(["sync::lock_guard<sync::mutex>", "sync::unique_lock<sync::mutex>",
                                        "const sync::lock_guard<sync::mutex>", "sync::Holder"])
            name = self.fresh("l_")
            tail = [f"{name}.unlock();", self.simple(owner)] if guard.startswith("sync::unique") and pick < 0.45 else []
            return Block("{", [f"{guard} {name}({mutex});", *inner, *tail], "}")
        if pick < 0.65:
            out = [Block(f"if ({field} < {self.value(owner)}) {{", [f"{mutex}.unlock();", self.simple(owner), *last], "}")
                   for last in [["return;"], [f"{mutex}.lock();"]] if self.random.random() < 0.2]
            return self.between(f"{mutex}.lock();", [*inner, *out, self.simple(owner)], f"{mutex}.unlock();")
        if pick < 0.75:
            return Block(f"if ({field} < {self.value(owner)}) {{", inner, "}")
        if pick < 0.8:
            index = self.fresh("i_")
            return Block(f"for (int {index} = 0; {index} < 2; {index}++) {{", inner, "}")
        if pick < 0.84:
            own = self.fresh("x_")
            return Block("{", [f"static sync::mutex {own};",
                               f"sync::lock_guard<sync::mutex> {self.fresh('l_')}({own});", *inner], "}")
        if pick < 0.87:
            flag = self.fresh("x_")
            return Block("", [f"static sync::once_flag {flag};", Block(f"sync::call_once({flag}, [&] {{", inner, "});")], "")
        if pick < 0.885:
            return self.ranges(owner, inner)
        if pick < 0.91:
            return self.conditions(owner, inner)
        if pick < 0.95:
            return self.guarded(owner, inner)
        if pick < 0.97:
            return self.left(owner, inner)
        if pick < 0.98:
            work, name = self.fresh("w_"), self.fresh("y_")
            around = "this, n" if owner else "&p, n"
            capture = self.random.choice([f"[&{name} = {field}, {around}]", f"[{name} = &{field}, {around}]",
                                          f"[{around}, &{name} = {field}]"])
            use = f"{'*' if '= &' in capture else ''}{name} += {self.random.choice(['k_0', '2'])};"
            return Block("", [Block(f"auto {work} = {capture} {{", [use], "};"), self.simple(owner), f"{work}();"], "")
        local, work = self.fresh("s_"), self.fresh("w_")
        capture = self.random.choice(["[&]", f"[&{local}" + (", this, n]" if owner else ", &p, n]")])
        return Block("", [f"int {local} = {self.value(owner)};",
                          Block(f"auto {work} = {capture} {{", [f"{local} += n;", *inner], "};"), f"{work}();"], "")

    @staticmethod
    def between(lock, items, unlock):
        return Block("", [lock, Block("", items, "", True), unlock], "")

    def ranges(self, owner, inner):
        rows, ways = self.fields(owner, "Row"), self.fields(owner, "Way")
        name = self.fresh("e_")
        of = self.random.choice([*rows, "row()", *ways, "way()"])
        head = self.random.choice([f"int {name}", f"auto {name}", *([f"auto& {name}", f"int& {name}"] if of in (*rows, "row()") else [])])
        used = f"{name} += {self.random.choice(['2', 'k_1', 'n'])};"
        between = self.random.choice([" : ", " :\n     "])
        count = self.fresh("i_")
        if self.random.random() < 0.3:
            return Block(f"for (int {count} = {self.value(owner)}; {head}{between}{of}) {{", [f"g_0 = {count};", used, *inner], "}")
        return Block(f"for ({head}{between}{of}) {{", [used, *inner], "}")

    def conditions(self, owner, inner):
        """Conditions with declarations, several cases, and locks in them."""
        ints = self.fields(owner, "int")
        field, other = self.random.choice(ints), self.random.choice(ints)
        mutex = self.random.choice(self.fields(owner, "sync::mutex"))
        name = self.fresh("i_")
        pick = self.random.randint(0, 7)
        if pick == 0:
            return Block("", [Block(f"if (int {name} = {field}; {name} < {other}) {{", inner, "}"),
                              *([Block("else {", [self.simple(owner)], "}")] if self.random.random() < 0.5 else [])], "")
        if pick == 1:
            return Block(f"if (int {name} = {field}) {{", [f"{other} = {name};", *inner], "}")
        if pick == 2:
            return Block("", [Block(f"if (sync::lock_guard<sync::mutex> {self.fresh('l_')}({mutex}); {field} < 3) {{", inner, "}"),
                              *([Block("else {", [self.simple(owner)], "}")] if self.random.random() < 0.5 else [])], "")
        if pick == 3:
            test = self.random.choice(["", "n > 2 && ", f"{field} < 3 &&\n    "])
            return self.tried(f"if ({test}{mutex}.try_lock()) {{", [*inner, self.simple(owner)], f"{mutex}.unlock();")
        if pick == 4:
            guard = self.fresh("l_")
            return Block("{", [f"sync::unique_lock<sync::mutex> {guard}({mutex}, sync::try_to_lock);",
                               Block(f"if ({guard}.owns_lock()) {{", inner, "}"), self.simple(owner)], "}")
        if pick == 5:
            return Block(f"while ({field} < {self.value(owner)}) {{", [*inner, f"{field}++;"], "}")
        first = self.random.choice([f"switch ({field}) {{", f"switch (int {name} = {field}; {name} + k_0) {{"])
        if pick == 6:  # it holds a lock of which a case gives back
            cases = [Block("case 0: {", [*inner, f"{mutex}.unlock();", self.simple(owner), f"{mutex}.lock();"], "} break;"),
                     Block("case 1: {", [self.simple(owner), f"{mutex}.unlock();", "return;"], "}"),
                     Block("default: {", [self.simple(owner)], "}")]
            return self.between(f"{mutex}.lock();", [Block("", [Block(first, self.some(cases), "}", False)], ""), self.simple(owner)],
                                f"{mutex}.unlock();")
        cases = [Block("case 0: {", inner, self.random.choice(["} break;", "}"])),
                 Block("case 7: {", [self.simple(owner)], "} break;"), Block("default: {", [self.simple(owner)], "}")]
        return Block("", [Block(first, self.some(cases), "}", False)], "")

    def some(self, cases):
        return [one for one in cases if self.random.random() < 0.7] or cases[:1]

    @staticmethod
    def tried(head, items, unlock):
        return Block("", [Block(head, [Block("", items, "", True), unlock], "}")], "")

    def guarded(self, owner, inner):
        """Locks of C, and the ways to make a guard."""
        mutex, second = (self.random.choice(self.fields(owner, "sync::mutex")) for _ in range(2))
        name = self.fresh("l_")
        threads = [f"{one}" for one in (*self.fields(owner, "pthread_mutex_t"), "g_pm")]
        mtx = [*self.fields(owner, "mtx_t"), "g_mt"]
        shared = [*self.fields(owner, "sync::shared_mutex"), "g_sm"]
        c, d, e = self.random.choice(threads), self.random.choice(mtx), self.random.choice(shared)
        locked = self.random.choice(["sync::lock_guard", "sync::unique_lock"])
        late = [Block(f"if ({self.random.choice(self.fields(owner, 'int'))} < 2) {{", [f"{name}.unlock();", "return;"], "}")]
        return self.random.choice([
            lambda: self.between(f"pthread_mutex_lock(&{c});", inner, f"pthread_mutex_unlock(&{c});"),
            lambda: self.between(f"mtx_lock(&{d});", inner, f"mtx_unlock(&{d});"),
            lambda: self.tried(f"if (pthread_mutex_trylock(&{c}) == 0) {{", inner, f"pthread_mutex_unlock(&{c});"),
            lambda: self.between(f"{e}.lock_shared();", inner, f"{e}.unlock_shared();"),
            lambda: Block("{", [f"sync::shared_lock<sync::shared_mutex> {name}({e});", *inner], "}"),
            lambda: Block("{", [f"sync::lock_guard<sync::shared_mutex> {name}({e});", *inner], "}"),
            lambda: Block("{", [f"sync::scoped_lock<sync::mutex, sync::mutex> {name}({mutex}, {second});", *inner], "}"),
            lambda: Block("{", [f"sync::scoped_lock<sync::mutex, sync::shared_mutex> {name}(\n    {mutex},\n    {e});", *inner], "}"),
            lambda: Block("{", [f"{mutex}.lock();", self.simple(owner),
                                f"{locked}<sync::mutex> {name}({mutex}, sync::adopt_lock);", *inner], "}"),
            lambda: Block("{", [f"sync::unique_lock<sync::mutex> {name}({mutex}, sync::defer_lock);", self.simple(owner),
                                f"{name}.lock();", *inner], "}"),
            lambda: Block("{", [f"sync::unique_lock<sync::mutex> {name}({mutex}, sync::defer_lock);", self.simple(owner),
                                f"{name}.lock();", *inner, f"{name}.unlock();", self.simple(owner)], "}"),
            lambda: Block("{", [f"sync::unique_lock<sync::mutex> {name}({mutex});", *inner, *late, self.simple(owner)], "}"),
        ])()

    def left(self, owner, inner):
        """Jumps out of what is locked."""
        field = self.random.choice(self.fields(owner, "int"))
        mutex = self.random.choice(self.fields(owner, "sync::mutex"))
        test, label, index = f"if ({field} < {self.value(owner)}) {{", self.fresh("out_"), self.fresh("i_")
        loop = self.random.choice([f"for (int {index} = 0; {index} < 2; {index}++) {{", "for (;;) {", f"while ({field} < 2) {{"])
        guard = f"sync::lock_guard<sync::mutex> {self.fresh('l_')}({mutex});"
        end = self.random.choice([f"{label}:\n{mutex}.unlock();", f"{label}: {mutex}.unlock();"])
        return self.random.choice([
            lambda: Block("", [f"{mutex}.lock();", Block("{", [Block(test, [self.simple(owner), f"goto {label};"], "}"), *inner], "}"),
                               end], ""),
            lambda: Block("", [Block(loop, [f"{mutex}.lock();",
                                            Block(test, [f"{mutex}.unlock();", self.random.choice(["break;", "continue;"])], "}"),
                                            Block("", inner, "", True), f"{mutex}.unlock();"], "}")], ""),
            lambda: Block("{", [guard, Block(test, [self.simple(owner), "return;"], "}"), *inner], "}"),
            lambda: Block(loop, [guard, Block(test, [self.simple(owner), self.random.choice(["break;", "continue;"])], "}"), *inner], "}"),
            lambda: Block("{", [guard, *inner, "return;"], "}"),
        ])()

    def simple(self, owner):
        field = self.random.choice(self.fields(owner, "int"))
        one = self.random.choice(self.classes)
        method = self.random.choice(one.methods)
        of_object = self.random.choice(list(one.fields))
        named = self.fresh("o_")
        atomics = self.fields(owner, "sync::atomic<int>")
        plains = [*self.fields(owner, "Plain"), "g_plain"]
        second, third = (self.random.choice(self.fields(owner, "int")) for _ in range(2))
        plain = self.random.choice(plains)
        bound = [f"{named}_{i}" for i in range(3)]
        nested = [f"in_{one.name}.step();"] if owner is one and one.nested else []
        choices = [
            f"auto& [{', '.join(bound)}] = {plain};\n{bound[0]} = {self.value(owner)};\n{field} += {bound[2]};",
            f"auto [{', '.join(bound)}] = {plain};\n{field} = {bound[1]};",
            f"const auto& [{', '.join(bound)}] =\n    {plain};\n{field} = {bound[1]};",
            f"auto& {named} = n < 2 ? g_0 : {plain}.q_2;\n{named} = {self.value(owner)};",
            f"(n < 4 ? {plain}.q_0 : g_1) = {self.value(owner)};",
            f"{field} = n < 2 ? {second} : {third};",
            f"{field} = df_1() + df_0({second});",
            f"{plain}.q_1 = {self.value(owner)};",
            f"later(fn_{self.random.randint(0, 2)}, n);",
            f"later(&{one.name}::{one.methods[-1].name}, &{one.name.lower()}());" if not one.methods[-1].virtual else "g_0--;",
            *nested,
            f"{field} = {self.value(owner)};",
            f"{field} += {self.value(owner)};",
            f"{field}++;",
            f"{field} =\n    {self.value(owner)} +\n    {self.value(owner)};",
            f"{one.name.lower()}().{method.name}({self.value(owner)});",
            f"fn_{self.random.randint(0, 2)}(c0(), {self.value(owner)});",
            f"tf_0({one.name.lower()}().{of_object});" if of_object.startswith("f_") else f"{field}--;",
            f"static int {named} = 0;\n{named}++;",
            f"static thread_local int {named} = 0;\n{named}++;",
            f"int {named} = 0;\ntake(&{named});",
        ]
        if of_object.startswith("f_"):
            choices.append(f"auto& {named} = {one.name.lower()}().{of_object};\n{named} = {self.value(owner)};")
        if one.made:
            choices.append(f"{one.name} {named}({self.value(owner)});\n{named}.{method.name}(1);")
        vaults = self.fields(owner, "sync::Vault<sync::mutex>")
        if vaults:
            vault = self.random.choice(vaults)
            choices += [f"{vault}.put({self.value(owner)});", f"{field} = {vault}.take();"]
        given = self.random.choice(["", "4", "n, 2", ".q_1 = 5", "\n    .q_0 = 1,\n    .q_2 = 3"])
        choices.append(f"Plain {named}{{{given}}};\n{field} = {named}.q_1;")
        choices.append(f"sync::Vault<sync::mutex> {named};\n{named}.put({self.value(owner)});")
        if atomics:
            atomic = self.random.choice(atomics)
            choices += [f"{atomic}.store({self.value(owner)});", f"{field} = {atomic}.load();", f"{atomic} += 2;"]
        return self.random.choice(choices)

    def template_statement(self):
        return self.random.choice(["x += 1;", "{\n  x = k_1;\n}", "g_0 = 1;", "fn_0(c0(), 1);", "g_1++;"])

    # text

    def lines(self, items, depth):
        for item in items:
            if isinstance(item, str):
                yield from ("  " * depth + line for line in item.split("\n"))
                continue
            if item.head:
                yield from ("  " * depth + line for line in item.head.split("\n"))
            yield from self.lines(item.items, depth + bool(item.head))
            if item.tail:
                yield "  " * depth + item.tail

    def body(self, head, function, depth):
        indent = "  " * depth
        return [indent + head + " {", *self.lines(function.items, depth + 1), indent + "}"]

    def class_text(self, one):
        lines = [f"class {one.name}" + (f" : public {one.base.name}" if one.base else "") + " {", "public:"]
        if one.nested:
            first = self.first_of(one)
            lines += ["  struct Inner {", f"    {one.name}* m_up = nullptr;", "    int m_inner = 0;", "    void step() {",
                      f"      m_inner += k_1;", f"      m_up->{first} = m_inner;", "    }", "  };", f"  Inner in_{one.name};"]
        first = self.first_of(one)
        if one.made:
            base = [f"{one.base.name}(n)"] if one.base and one.base.made else []
            lines += self.constructor(one, f"  explicit {one.name}(int n)", [*base, f"{first}(n)", *self.named(one)], 1)
            lines += self.constructor(one, f"  {one.name}(int n, int)", base, 1)
            lines += [f"  {one.name}(int n, int, int) : {one.name}(n) {{}}", f"  ~{one.name}() {{ {first} = 0; }}"]
        elif one.constructor in ("a", "b"):
            lines.append(f"  {one.name}();")
        elif one.constructor == "{}":
            lines += self.constructor(one, f"  {one.name}()", self.named(one), 1)
        elif one.constructor:
            lines.append(f"  {one.name}() {one.constructor}")
        for method in one.methods:
            head = ("virtual " if method.virtual else "") + f"void {method.name}(int n)"
            lines += self.body(head, method, 1) if self.in_class(one, method) else [f"  {head};"]
        for name, kind in one.fields.items():
            value = one.values.get(name, " = 0" if kind in ("int", "long") else "")
            lines += f"  {kind} {name}{value};".split("\n")
        return lines + ["};"]

    @staticmethod
    def first_of(one):
        return min(name for name in one.fields if name[0] == "f")

    def named(self, one):
        first = self.first_of(one)
        return [f"{name}({i})" for i, name in enumerate(one.named) if name != first or not one.made]

    @staticmethod
    def constructor(one, head, initializers, depth):
        indent = "  " * depth
        if not one.lines:
            return [head + (" : " if initializers else "") + ", ".join(initializers) + " {}"]
        parts = [f"{indent}  {', ' if i else ': '}{text}" for i, text in enumerate(initializers)]
        return [head, *parts, indent + "{", indent + "}"]

    def default_functions(self):
        return [("inline " if self.inlined else "") + "int df_0(int n, int m = " + self.defaults["df_0"] + (") {\n  return n + m;\n}" if self.inlined else ");"),
                "int df_1(\n    int m = " + self.defaults["df_1"] + ");"]

    def range_classes(self):
        step = self.steps
        return ["struct Row {", "  int* begin() {", f"    {step['Row.begin']}return m_cells;", "  }",
                f"  int* end() {{ {step['Row.end']}return m_cells + m_size; }}", "  int m_cells[3] = {};", "  int m_size = 3;", "};",
                "struct Way {", "  struct Step {", "    int m_at = 0;", f"    int operator*() const {{ {step['Way.get']}return m_at; }}",
                f"    Step& operator++() {{ {step['Way.next']}m_at++; return *this; }}",
                f"    bool operator!=(const Step& other) const {{ {step['Way.differs']}return m_at != other.m_at; }}", "  };",
                f"  Step begin() const {{ {step['Way.begin']}return {{m_first}}; }}", "  Step end() const { return {m_last}; }",
                "  int m_first = 0;", "  int m_last = 2;", "};", "Row& row();", "Way& way();"]

    def files(self):
        """Name -> text."""
        header = ["#pragma once", '#include "sync.h"']
        header += [f"#define {name} {value}" for name, value in self.macros.items()]
        header += [f"constexpr int {name} = {value};" for name, value in self.constants.items()]
        header += [f"extern int {name};" for name in self.globals]
        header += ["struct Plain {", *(f"  int {name}{value};" for name, value in self.plain.items()), "};"]
        header += ["extern Plain g_plain;", "extern pthread_mutex_t g_pm;", "extern mtx_t g_mt;", "extern sync::shared_mutex g_sm;"]
        header += [line for one in self.classes for line in (f"class {one.name};", f"{one.name}& {one.name.lower()}();")]
        header += ["int dh_0(int n = k_0);"]
        header += self.default_functions()
        header += self.range_classes()
        header += [f"void {one.name}(C0& p, int n);" for one in self.functions]
        header += ["template <class T> void take(T* x) { *x += 1; }",
                   "template <class F, class A> void later(F work, A of);"]
        header += ["template <class T>", *self.body("void tf_0(T& x)", self.templates[0], 0)]
        sources = {"a": ['#include "all.h"'], "b": ['#include "all.h"', *(f"int {name} = 0;" for name in self.globals), "Plain g_plain;",
                                               "pthread_mutex_t g_pm;", "mtx_t g_mt;", "sync::shared_mutex g_sm;",
                                               "int dh_0(int n) {", "  return g_2 + n;", "}"]}
        classes, inline = [], []
        for one in self.classes:
            classes += self.class_text(one)
            for method in one.methods:
                if not self.in_class(one, method):
                    word = "inline " if method.file == "h" else ""
                    place = inline if method.file == "h" else sources[method.file]
                    place += self.body(f"{word}void {one.name}::{method.name}(int n)", method, 0)
        for function in self.functions:
            sources[function.file] += self.body(f"void {function.name}(C0& p, int n)", function, 0)
        for one in self.classes:
            if one.constructor in ("a", "b"):
                sources[one.constructor] += self.constructor(one, f"{one.name}::{one.name}()", self.named(one), 0)
        if not self.inlined:
            sources["b"] += ["int df_0(int n, int m) {", "  return n * m;", "}"]
        sources["a"] += ["int df_1(int m) {", "  g_1 += m;", "  return m;", "}", "Row& row() {", "  static Row one;", "  return one;", "}"]
        sources["b"] += ["Way& way() {", "  static Way one;", "  return one;", "}"]
        for one in self.classes:
            made = "(1)" if one.made else ""
            sources["b"] += [f"{one.name}& {one.name.lower()}() {{", f"  static {one.name} one{made};", "  return one;", "}"]
        return {"sync.h": SYNC, "h.h": "\n".join(header) + "\n",
                "all.h": "\n".join(['#pragma once', '#include "h.h"', *classes, *inline]) + "\n",
                "a.cpp": "\n".join(sources["a"]) + "\n", "b.cpp": "\n".join(sources["b"]) + "\n"}

    def in_class(self, one, method):
        """Only the last class knows all the others."""
        return method.file == "h" and one is self.classes[-1]


class Commit:
    def __init__(self, seed):
        program = Program(seed)
        self.before = program.files()
        self.program = copy.deepcopy(program)
        self.random = random.Random(seed + 1_000_000)
        self.program.random = self.random
        self.kinds = []
        for _ in range(self.random.randint(1, 3)):
            self.edit()
        self.after = self.program.files()
        self.add_noise()

    def bodies(self):
        """(class or None, list of statements), all that there are."""
        found = []

        def add(owner, items, body=True):
            if body:
                found.append((owner, items))
            for item in items:
                if isinstance(item, Block):
                    add(owner, item.items, item.body)

        for one in self.program.classes:
            for method in one.methods:
                add(one, method.items)
        for function in self.program.functions:
            add(None, function.items)
        return found

    def edit(self):
        edits = [self.insert, self.insert, self.delete, self.delete, self.replace, self.replace, self.unguard,
                 self.unguard, self.guard, self.constant, self.macro, self.field, self.widen, self.method,
                 self.override, self.split, self.inline, self.template, self.initializer, self.initializer,
                 self.reorder, self.reorder, self.name, self.constructor, self.declare, self.declare, self.lock,
                 self.vault, self.aggregate, self.default, self.step, self.head, self.head, self.release]
        edit = self.random.choice(edits)
        self.kinds.append(edit.__name__)
        edit()

    def insert(self):
        owner, items = self.random.choice(self.bodies())
        items.insert(self.random.randint(1 if items else 0, len(items)), self.program.statement(owner, 1))

    def delete(self):
        _, items = self.random.choice(self.bodies())
        plain = [item for item in items if isinstance(item, str) and self.stands_alone(item)]
        if plain:
            items.remove(self.random.choice(plain))

    @staticmethod
    def stands_alone(item):
        return not item.startswith(("sync::", "const sync::", "static sync::", "l_", "int s_", "out_", "goto", "return", "break",
                                    "continue")) and ".unlock()" not in item and ".lock()" not in item

    def replace(self):
        owner, items = self.random.choice(self.bodies())
        plain = [i for i, item in enumerate(items) if isinstance(item, str) and self.stands_alone(item)]
        if plain:
            items[self.random.choice(plain)] = self.program.simple(owner)

    def guards(self):
        return [(items, i) for _, items in self.bodies() for i, item in enumerate(items)
                if isinstance(item, str) and item.startswith(("sync::lock", "sync::unique", "sync::Holder", "const sync::", "sync::s")) or
                isinstance(item, Block) and not item.head and len(item.items) == 3 and isinstance(item.items[1], Block) and
                not item.items[1].head and "lock" in str(item.items[0])]

    def is_named(self, items, guard):
        """Other statements unlock the guard, or ask it."""
        name = re.search(r"\bl_\d+\b", guard).group()
        return sum(bool(re.search(rf"\b{name}\b", line)) for line in self.program.lines(items, 0)) > 1

    def unguard(self):
        found = [(items, i) for items, i in self.guards() if isinstance(items[i], Block) or not self.is_named(items, items[i])]
        if not found:
            return
        items, i = self.random.choice(found)
        if isinstance(items[i], str):
            del items[i]
        else:
            items[i:i + 1] = items[i].items[1:-1]

    def guard(self):
        owner, items = self.random.choice(self.bodies())
        mutex = self.random.choice(self.program.fields(owner, "sync::mutex"))
        items.insert(self.random.randint(0, len(items)),
                     f"sync::lock_guard<sync::mutex> {self.program.fresh('l_')}({mutex});")

    def constant(self):
        self.program.constants[self.random.choice(list(self.program.constants))] += 10

    def macro(self):
        self.program.macros["M_0"] += 10

    def field(self):
        self.random.choice(self.program.classes).fields[self.program.fresh("f_")] = "int"

    def widen(self):
        fields = self.random.choice(self.program.classes).fields
        fields[self.random.choice([name for name, kind in fields.items() if kind in ("int", "long")])] = "long"

    def initializer(self):
        """Another default member initializer, one that comes, or one that goes."""
        one = self.random.choice(self.program.classes)
        name = self.random.choice([name for name, kind in one.fields.items() if kind in ("int", "long")])
        one.values[name] = self.program.initial() or " = 7"

    def reorder(self):
        one = self.random.choice(self.program.classes)
        fields = list(one.fields.items())
        fields.insert(self.random.randrange(len(fields)), fields.pop(self.random.randrange(len(fields))))
        one.fields = dict(fields)

    def name(self):
        """The constructors initialize a member themselves, or no longer."""
        one = self.random.choice(self.program.classes)
        name = self.random.choice([name for name, kind in one.fields.items() if kind in ("int", "long")])
        if name in one.named:
            one.named.remove(name)
        else:
            one.named.append(name)

    def constructor(self):
        for one in self.program.classes:
            if not one.made:
                one.constructor = self.random.choice([None, "= default;", "{}", "a", "b"])
                return

    def lock(self):
        """A mutex is declared in another way."""
        one = self.random.choice(self.program.classes)
        name = next(name for name, kind in one.fields.items() if kind == "sync::mutex")
        one.values[name] = "" if one.values.get(name) else "{}"

    def aggregate(self):
        name = self.random.choice(list(self.program.plain))
        self.program.plain[name] = self.random.choice(["", " = 7", "{k_1}"])

    def default(self):
        """Another default argument."""
        self.program.defaults[self.random.choice(list(self.program.defaults))] = self.program.default()

    def step(self):
        """A function of a range does something else."""
        self.program.steps[self.random.choice(list(self.program.steps))] = self.random.choice(["g_2 = 4; ", "g_1--; ", "", "dh_0(3); "])

    def head(self):
        """A block begins with something else."""
        heads = [(owner, item) for owner, items in self.bodies() for item in items
                 if isinstance(item, Block) and item.head and item.head.startswith(("if (", "for (", "while (", "switch ("))]
        inner = [(owner, block.items[0]) for owner, items in self.bodies() for block in items if isinstance(block, Block)
                 and not block.head and isinstance(block.items[0], Block) and block.items[0].head.startswith(("if", "for", "sw"))]
        if not heads + inner:
            return
        owner, block = self.random.choice(heads + inner)
        names = re.findall(r"\b[fg]_\d+|\b(?:r|w|row|way)_\w+|\brow\(\)|\bway\(\)|\bk_0\b|\b\d\b", block.head)
        if names:
            old = self.random.choice(names)
            ints = self.program.fields(owner, "int")
            new = ("way()" if old.startswith("way") or old.startswith("w_") else "row()" if old.startswith("r") else
                   "4" if old.isdigit() else self.random.choice(ints))
            block.head = re.sub(r"(?:\bp\.)?" + (r"\b" if old[0].isalnum() else "") + re.escape(old), lambda _: new, block.head, count=1)

    def release(self):
        """A jump or a release comes or goes."""
        found = [(items, i) for _, items in self.bodies() for i, item in enumerate(items)
                 if isinstance(item, str) and (item in ("return;", "break;", "continue;") or item.startswith("l_"))]
        if not found:
            return
        items, i = self.random.choice(found)
        if items[i].startswith("l_"):
            del items[i]
        else:
            items[i] = self.random.choice(["return;", "g_0++;"])

    def vault(self):
        """A template gets another argument."""
        for one in self.program.classes:
            for name, kind in one.fields.items():
                if kind.startswith("sync::Vault"):
                    one.fields[name] = "sync::Vault<sync::spin>"
                    return

    def declare(self):
        """Another declaration of a variable in a function."""
        words = {"static int ": ["static thread_local int ", "static long "], "int ": ["long ", "volatile int "],
                 "static thread_local int ": ["static int ", "static long "],
                 "static sync::mutex ": ["sync::mutex ", "static thread_local sync::mutex "],
                 "static sync::once_flag ": ["sync::once_flag "],
                 "sync::Vault<sync::mutex> ": ["sync::Vault<sync::spin> ", "static sync::Vault<sync::mutex> "]}
        found = []

        def look(items):
            for i, item in enumerate(items):
                if isinstance(item, Block):
                    look(item.items)
                elif word := next((word for word in words if item.startswith(word)), None):
                    found.append((items, i, word))

        for _, items in self.bodies():
            look(items)
        if found:
            items, i, word = self.random.choice(found)
            items[i] = self.random.choice(words[word]) + items[i].removeprefix(word)

    def method(self):
        one = self.random.choice(self.program.classes)
        one.methods.insert(self.random.randint(0, 2), Function(self.program.fresh("me_"), self.random.choice("hab"),
                                                               self.program.items(one, 1)))

    def override(self):
        """Adds a method that overrides one of a base class, or removes one."""
        derived = [one for one in self.program.classes if one.base]
        for one in derived:
            virtual = [method for method in one.base.methods if method.virtual]
            own = [method for method in one.methods if virtual and method.name == virtual[0].name]
            if own:
                one.methods.remove(own[0])
                return
            if virtual:
                one.methods.append(Function(virtual[0].name, self.random.choice("hab"), self.program.items(one, 1)))
                return

    def split(self):
        """The rest of a function becomes a function of its own."""
        function = self.random.choice(self.program.functions)
        at = self.random.randint(0, len(function.items))
        if any(isinstance(item, str) and not self.stands_alone(item) for item in function.items):
            return
        index = self.program.functions.index(function)
        new = Function(self.program.fresh("fx_"), function.file, function.items[at:])
        function.items = function.items[:at]
        self.program.functions.insert(index + 1, new)

    def inline(self):
        """A method moves to another file."""
        self.random.choice(self.random.choice(self.program.classes).methods).file = self.random.choice("hab")

    def template(self):
        self.program.templates[0].items.append(self.program.template_statement())

    def add_noise(self):
        """Comments and white space, in a few lines."""
        for name in ("all.h", "a.cpp", "b.cpp"):
            lines = self.after[name].split("\n")
            for _ in range(self.random.choice([0, 0, 1, 2])):
                at = self.random.randrange(1, len(lines))
                if "\\" in lines[at] or lines[at].startswith("#"):
                    continue
                change = self.random.choice(["comment", "space", "empty", "behind"])
                if change == "comment":
                    lines.insert(at, "  // a remark")
                elif change == "empty":
                    lines.insert(at, "")
                elif change == "behind" and lines[at]:
                    lines[at] += " /* why */"
                elif lines[at]:
                    lines[at] = "  " + lines[at]
            self.after[name] = "\n".join(lines)
