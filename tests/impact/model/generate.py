"""Random small C++ programs and random commits of them. The same seed gives the same commit."""

import copy
import random

SYNC = """\
#pragma once
namespace sync {
class mutex {
public:
  void lock() { m_state = 1; }
  void unlock() { m_state = 0; }
private:
  int m_state = 0;
};
template <class M> class lock_guard {
public:
  explicit lock_guard(M& m) : m_mutex(m) { m_mutex.lock(); }
  ~lock_guard() { m_mutex.unlock(); }
private:
  M& m_mutex;
};
template <class M> class unique_lock {
public:
  explicit unique_lock(M& m) : m_owned(m) { m_owned.lock(); }
  ~unique_lock() { m_owned.unlock(); }
  void unlock() { m_owned.unlock(); }
private:
  M& m_owned;
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

    def __init__(self, head, items, tail):
        self.head, self.items, self.tail = head, items, tail


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
        self.classes, self.functions, self.templates = [], [], []
        for i in range(self.random.randint(2, 3)):
            base = self.random.choice([None, *self.classes])
            fields = {f"f_{i}{j}": "int" for j in range(2)}
            fields[f"m_{i}"] = "sync::mutex"
            if self.random.random() < 0.5:
                fields[f"a_{i}"] = "sync::atomic<int>"
            if self.random.random() < 0.3:
                fields[f"va_{i}"] = "sync::Vault<sync::mutex>"
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
        return self.random.choice([str(self.random.randint(1, 9)), "n", *self.fields(owner, "int"), *self.constants,
                                   *self.macros, "k_0 + 1"])

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
            return Block("", [f"{mutex}.lock();", *inner, *out, self.simple(owner), f"{mutex}.unlock();"], "")
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
        local, work = self.fresh("s_"), self.fresh("w_")
        capture = self.random.choice(["[&]", f"[&{local}" + (", this, n]" if owner else ", &p, n]")])
        return Block("", [f"int {local} = {self.value(owner)};",
                          Block(f"auto {work} = {capture} {{", [f"{local} += n;", *inner], "};"), f"{work}();"], "")

    def simple(self, owner):
        field = self.random.choice(self.fields(owner, "int"))
        one = self.random.choice(self.classes)
        method = self.random.choice(one.methods)
        of_object = self.random.choice(list(one.fields))
        named = self.fresh("o_")
        atomics = self.fields(owner, "sync::atomic<int>")
        choices = [
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
                yield "  " * depth + item.head
            yield from self.lines(item.items, depth + bool(item.head))
            if item.tail:
                yield "  " * depth + item.tail

    def body(self, head, function, depth):
        indent = "  " * depth
        return [indent + head + " {", *self.lines(function.items, depth + 1), indent + "}"]

    def class_text(self, one):
        lines = [f"class {one.name}" + (f" : public {one.base.name}" if one.base else "") + " {", "public:"]
        if one.nested:
            lines += ["  struct Inner {", "    int m_inner = 0;", f"    void step() {{ m_inner += k_1; }}", "  };",
                      f"  Inner in_{one.name};"]
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

    def files(self):
        """Name -> text."""
        header = ["#pragma once", '#include "sync.h"']
        header += [f"#define {name} {value}" for name, value in self.macros.items()]
        header += [f"constexpr int {name} = {value};" for name, value in self.constants.items()]
        header += [f"extern int {name};" for name in self.globals]
        header += ["struct Plain {", *(f"  int {name}{value};" for name, value in self.plain.items()), "};"]
        header += [f"class {one.name};\n{one.name}& {one.name.lower()}();" for one in self.classes]
        header += [f"void {one.name}(C0& p, int n);" for one in self.functions]
        header += ["template <class T> void take(T* x) { *x += 1; }"]
        header += ["template <class T>", *self.body("void tf_0(T& x)", self.templates[0], 0)]
        sources = {"a": ['#include "all.h"'], "b": ['#include "all.h"', *(f"int {name} = 0;" for name in self.globals)]}
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

        def add(owner, items):
            found.append((owner, items))
            for item in items:
                if isinstance(item, Block) and item.head:
                    add(owner, item.items)

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
                 self.vault, self.aggregate]
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
        return not item.startswith(("sync::", "const sync::", "static sync::", "l_", "int s_"))

    def replace(self):
        owner, items = self.random.choice(self.bodies())
        plain = [i for i, item in enumerate(items) if isinstance(item, str) and self.stands_alone(item)]
        if plain:
            items[self.random.choice(plain)] = self.program.simple(owner)

    def guards(self):
        return [(items, i) for _, items in self.bodies() for i, item in enumerate(items)
                if isinstance(item, str) and item.startswith(("sync::lock", "sync::unique", "sync::Holder", "const sync::")) or
                isinstance(item, Block) and not item.head and ".lock()" in str(item.items[0])]

    def unguard(self):
        found = [(items, i) for items, i in self.guards()
                 if isinstance(items[i], Block) or not any(str(one).startswith("l_") for one in items)]
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
