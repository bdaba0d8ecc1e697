"""Facts about a unit from clang's own dump of its syntax tree. Slow and simple; it shares no code with reex."""

import collections
import contextlib
import json
import re
import subprocess

Field = collections.namedtuple("Field", "owner name any")
Function = collections.namedtuple("Function", "file first last owner name key is_lambda begin end")
Access = collections.namedtuple("Access", "file line column field")
Call = collections.namedtuple("Call", "file line column key name")  # key None: a template does not know it
Region = collections.namedtuple("Region", "file lines taken head")  # head: the first line of what takes the lock
Half = collections.namedtuple("Half", "file line takes")  # of a region whose other half is in another function
Declared = collections.namedtuple("Declared", "file first last field key")
# What users depend on. `kind`: "" for what is declared by itself, "initializer" of a member, "order" of members.
Head = collections.namedtuple("Head", "file first last key name text overrides kind", defaults=("",))
Use = collections.namedtuple("Use", "file line key name")

FUNCTIONS = {"FunctionDecl", "CXXMethodDecl", "CXXConstructorDecl", "CXXDestructorDecl", "CXXConversionDecl"}
CONTROL = {"IfStmt", "WhileStmt", "ForStmt", "DoStmt", "CXXForRangeStmt", "SwitchStmt"}
GUARDS = {"lock_guard", "scoped_lock", "unique_lock", "shared_lock"}
LOCKS = {"lock", "lock_shared", "try_lock", "pthread_mutex_lock", "pthread_mutex_trylock", "mtx_lock"}
UNLOCKS = {"unlock", "unlock_shared", "pthread_mutex_unlock", "mtx_unlock"}


class Facts:
    def __init__(self):
        self.functions, self.classes, self.accesses, self.calls = set(), set(), set(), set()
        self.handed = set()  # calls of the functions that a line hands to another function
        self.halves, self.kept = set(), set()  # kept: the lines on which a guard gets the lock that it gives back
        self.regions, self.statements, self.declared, self.heads, self.uses = set(), set(), set(), set(), set()

    def merge(self, other):
        for name, values in vars(other).items():
            getattr(self, name).update(values)


def dump(source, folder):
    """The dump; positions that are left out because they are as before are filled in."""
    text = subprocess.run(
        ["clang++", "-std=c++20", "-I.", "-w", "-fsyntax-only", "-Xclang", "-ast-dump=json", source],
        cwd=folder, capture_output=True, text=True, check=True).stdout
    tree = json.loads(text)
    state = {"file": "", "line": 0}

    def place(where):
        if "expansionLoc" in where:
            place(where["spellingLoc"])
            place(where["expansionLoc"])
            for key in ("file", "line", "col", "tokLen", "offset"):
                where[key] = where["expansionLoc"].get(key)
        elif "offset" in where:
            state["file"] = where["file"] = where.get("file", state["file"])
            state["line"] = where["line"] = where.get("line", state["line"])

    def fill(node):
        for key, value in node.items():
            if key == "loc":
                place(value)
            elif key == "range":
                place(value["begin"])
                place(value["end"])
            elif key == "inner":
                for child in value:
                    fill(child)

    fill(tree)
    return tree


class Unit:
    """Walks one dump. `files` are the names of the project's files, relative to its folder."""

    def __init__(self, tree, folder, files):
        self.folder, self.files = folder, files
        self.texts = {name: open(f"{folder}/{name}", "rb").read() for name in files}
        self.facts = Facts()
        self.nodes, self.parents = {}, {}
        self.patterns = {}  # by place: the function that is written there, before its instantiations
        self._index(tree, None)
        self.guards = {}
        self.default_arguments = None
        for child in tree.get("inner", []):
            self.declaration(child)

    def _index(self, node, parent):
        if "id" in node:
            self.nodes.setdefault(node["id"], node)
            self.parents.setdefault(node["id"], parent)
        if node.get("kind") in FUNCTIONS:
            self.patterns.setdefault((node["loc"].get("file"), node["loc"].get("offset")), node)
        for child in node.get("inner", []):
            self._index(child, node)

    # places

    def name_of_file(self, where):
        name = (where.get("file") or "").removeprefix(self.folder + "/").removeprefix("./")
        return name if name in self.files else None

    def file(self, node):
        return self.name_of_file(node.get("range", {}).get("begin", {}))

    @staticmethod
    def begin(node):
        where = node["range"]["begin"]
        return (where["line"], where["col"])

    @staticmethod
    def end(node):
        where = node["range"]["end"]
        return (where["line"], where["col"] + where["tokLen"])

    def text(self, node):
        start, end = node["range"]["begin"], node["range"]["end"]
        return self.texts[self.file(node)][start["offset"]:end["offset"] + end["tokLen"]].decode()

    # names

    def key(self, decl):
        """The same for a template and what is instantiated of it, in all units and on both sides."""
        if decl["kind"] not in FUNCTIONS:
            return self.qualified(decl)
        where = decl["loc"]
        pattern = self.patterns[where.get("file"), where.get("offset")]
        if pattern["name"] == "operator()":
            return ("lambda", self.folder, where["file"], where["offset"])
        return (self.owner(pattern), self.method(pattern), self.signature(pattern))

    @staticmethod
    def signature(function):
        """Whether a defaulted function throws is only in the dump if it was asked for."""
        defaulted = "explicitlyDefaulted" in function or function.get("isImplicit")
        written = function["type"]["qualType"]
        return re.sub(r" noexcept(\(false\))?$", "", written) if defaulted else written

    def parent(self, decl):
        if "parentDeclContextId" in decl:
            return self.nodes[decl["parentDeclContextId"]]
        parent = self.parents[decl["id"]]
        while parent and parent["kind"] in ("FunctionTemplateDecl", "ClassTemplateDecl", "DeclStmt", "CompoundStmt"):
            parent = self.parents[parent["id"]]
        return parent

    @staticmethod
    def is_class(decl):
        return decl is not None and decl["kind"] in ("CXXRecordDecl", "ClassTemplateSpecializationDecl")

    def qualified(self, decl):
        name = decl.get("name", "(anonymous)" if self.is_class(decl) else "(anonymous namespace)")
        if decl["kind"] in FUNCTIONS:
            name = name.split("<")[0]
        parent = self.parent(decl)
        while parent and parent["kind"] not in FUNCTIONS | {"NamespaceDecl", "TranslationUnitDecl"} and not self.is_class(parent):
            parent = self.parent(parent)
        if parent is None or parent["kind"] == "TranslationUnitDecl":
            return name
        return self.qualified(parent) + ("()::" if parent["kind"] in FUNCTIONS else "::") + name

    def owner(self, decl):
        parent = self.parent(decl)
        return self.qualified(parent) if self.is_class(parent) else ""

    def method(self, decl):
        return decl["name"].split("<")[0] if self.is_class(self.parent(decl)) else self.qualified(decl)

    @staticmethod
    def type_of(node):
        types = node.get("type", {})
        return types.get("desugaredQualType", types.get("qualType", ""))

    # declarations

    def declaration(self, node):
        if self.file(node) is None or node.get("isImplicit"):
            return
        kind = node["kind"]
        if kind in ("NamespaceDecl", "LinkageSpecDecl"):
            for child in node.get("inner", []):
                self.declaration(child)
        elif kind == "ClassTemplateDecl":
            record = next(child for child in node["inner"] if child["kind"] == "CXXRecordDecl")
            self.class_definition(record, node)
        elif kind == "FunctionTemplateDecl":
            pattern = next(child for child in node["inner"] if child["kind"] in FUNCTIONS)
            self.function(pattern, node)
        elif kind == "CXXRecordDecl":
            self.class_definition(node, node)
        elif kind in FUNCTIONS:
            self.function(node, node)
        elif kind in ("FieldDecl", "VarDecl"):
            self.variable_declaration(node)

    def class_definition(self, node, whole):
        if not node.get("completeDefinition"):
            return
        first, last = self.begin(whole), self.end(whole)
        self.facts.classes.add((self.file(whole), first[0], last[0], self.qualified(node), first, last))
        for child in node.get("inner", []):
            self.declaration(child)
        self.members(node)
        templates = [one for child in node.get("inner", []) if child["kind"] == "FunctionTemplateDecl"
                     for one in child["inner"]]
        declared = [one for one in node.get("inner", []) + templates if not one.get("isImplicit")]
        if not any(one["kind"] == "CXXConstructorDecl" for one in declared):
            fields = [child for child in node.get("inner", []) if child["kind"] == "FieldDecl"]
            runs = [field for field in fields if field.get("hasInClassInitializer")]
            others = [field for field in fields if field not in runs and self.is_object(field)]
            self.initializes(node, node, runs, len(others), {node["loc"]["line"]}, [])

    # What is initialized without being named in a constructor.

    def members(self, record):
        fields = [child for child in record.get("inner", []) if child["kind"] == "FieldDecl"]
        for field in fields:
            if field.get("hasInClassInitializer"):
                self.facts.heads.add(Head(self.file(field), self.begin(field)[0], self.end(field)[0],
                                          ("initializer", self.qualified(field)), record["name"], self.text(field), (),
                                          "initializer"))
        if fields:
            self.facts.heads.add(Head(self.file(record), self.begin(fields[0])[0], self.end(fields[-1])[0],
                                      ("order", self.qualified(record)), record["name"],
                                      tuple(field["name"] for field in fields), (), "order"))

    def explicit_constructor(self, node, body):
        runs, others, lines, own = [], 0, [], False
        for one in node.get("inner", []):
            if one["kind"] != "CXXCtorInitializer":
                continue
            if "delegatingInit" in one:
                return
            value = one["inner"][0]
            written = value["kind"] != "CXXDefaultInitExpr" and value["range"]["begin"].get("offset") != node["loc"]["offset"]
            own = own or written
            if "anyInit" in one and written:
                lines.append(value["range"]["begin"]["line"])
            elif "anyInit" in one and value["kind"] == "CXXDefaultInitExpr":
                runs.append(self.nodes[one["anyInit"]["id"]])
            elif "anyInit" in one:
                others += 1
        # g++ puts it on the last line of code before the body, without initializers on that of the brace.
        places = {node["loc"]["line"]}
        if body and own:
            head = self.texts[self.file(node)][node["loc"]["offset"]:body["range"]["begin"]["offset"]].decode()
            places.add(node["loc"]["line"] + re.sub(r"/\*.*?\*/|//[^\n]*", "", head).rstrip().count("\n"))
        elif body:
            places.add(self.begin(body)[0])
        self.initializes(self.parent(node), node, runs, others, places, lines)

    def is_object(self, field):
        text = self.type_of(field).removeprefix("volatile ")
        return text not in ("int", "long", "bool") and not text.endswith(("*", "&"))

    def initializes(self, record, constructor, runs, others, places, named):
        """`runs` has the members with a default initializer, `others` counts those of class type, `named` has the
        line of each member that the constructor names."""
        uses = [(line, ("initializer", self.qualified(field))) for field in runs for line in places]
        if len(runs) + others + len(named) > 1:
            lines = set(named) | (places if runs or others else set())
            uses += [(line, ("order", self.qualified(record))) for line in lines]
        self.facts.uses.update(Use(self.file(constructor), line, key, record["name"]) for line, key in uses)

    def variable_declaration(self, node):
        file, first, last = self.file(node), self.begin(node)[0], self.end(node)[0]
        field = self.shared(node) if node["kind"] == "VarDecl" else Field(self.owner(node), node["name"], False)
        if field:
            self.facts.declared.add(Declared(file, first, last, field, None))
        self.arguments(node)
        if self.is_lockable(node) or (node["kind"] == "VarDecl" and self.is_const(node)):
            self.facts.heads.add(Head(file, first, last, self.key(node), node["name"], self.text(node), ()))
        Body(self, "", "").run(node.get("inner", []), node)

    def is_const(self, node):
        return self.type_of(node).startswith("const ") or node.get("constexpr", False)

    def arguments(self, node):
        """What the declaration of a variable gives to a class template of the project."""
        written = re.match(r"(?:const |volatile )*((\w+::)*\w+)<(.*)>", node.get("type", {}).get("qualType", ""))
        template = written and self.class_of_type(written.group(1))
        if template and self.parents[template["id"]]["kind"] == "ClassTemplateDecl":
            self.facts.heads.add(Head(self.file(node), self.begin(node)[0], self.end(node)[0],
                                      ("given", self.qualified(node)), node["name"], (written.group(),),
                                      (("arguments", self.qualified(template)),), "arguments"))

    def is_lockable(self, node):
        text = re.sub(r"[&*\[\]0-9 ]|volatile", "", self.type_of(node))
        return node["kind"] in ("FieldDecl", "VarDecl") and not self.is_const(node) and text not in ("int", "long", "bool")

    def shared(self, node):
        """The field that a variable counts as; None for a local one."""
        if self.is_const(node) or "tls" in node:
            return None
        parent = self.parent(node)
        if self.is_class(parent):
            return Field(self.qualified(parent), node["name"], False)
        if parent is None or parent["kind"] in ("TranslationUnitDecl", "NamespaceDecl"):
            return Field("", self.qualified(node), False)
        return Field("", "static " + node["name"], False) if node.get("storageClass") == "static" else None

    def function(self, node, whole):
        file, first, last = self.file(whole), self.begin(whole), self.end(whole)
        inner = node.get("inner", [])
        body = next((child for child in inner if child["kind"] == "CompoundStmt"), None)
        written = [child["inner"][0] for child in inner if child["kind"] == "ParmVarDecl" and self.default_of(child)]
        parameters = [self.text(child) for child in inner if child["kind"] == "ParmVarDecl"]
        defaults = [text[text.index("="):] if "=" in text else "" for text in parameters]
        first_decl = self.nodes.get(node.get("previousDecl"), node)  # only it says so
        head = (self.signature(node), first_decl.get("virtual", False) or bool(self.overridden(node)),
                first_decl.get("storageClass") == "static" and bool(self.owner(node)), tuple(defaults))
        head_end = self.begin(body)[0] if body else last[0]
        defaulted = node.get("explicitlyDefaulted") == "default"
        if node["kind"] == "CXXConstructorDecl" and (body or defaulted):
            self.explicit_constructor(node, body)
        self.facts.heads.add(Head(file, first[0], head_end, self.key(node), node["name"].split("<")[0], head,
                                  tuple(self.overridden(node))))
        for given in written:
            self.facts.heads.add(Head(file, self.begin(given)[0], self.end(given)[0], self.key(node),
                                      node["name"].split("<")[0], self.text(given), ()))
        owner, name = self.owner(node), self.method(node)
        walk = Body(self, owner, name)
        if not body:
            self.facts.declared.add(Declared(file, first[0], last[0], None, self.key(node)))
            walk.statement_lines(file, first[0], last[0], [])
            walk.run(written, node)
            return
        self.facts.functions.add(Function(file, first[0], last[0], owner, name, self.key(node), False, first, last))
        walk.statement_lines(file, first[0], head_end, [])
        walk.run(written + inner, node)

    @staticmethod
    def default_of(parameter):
        """Whether it is written there, and not only where the function was declared before."""
        given = parameter.get("inner", [{}])[0].get("range", {}).get("begin", {})
        return given.get("file") == parameter["loc"].get("file") and given.get("offset", -1) > parameter["range"]["begin"]["offset"]

    def default_argument(self, function, i):
        """What its declaration gives to a parameter."""
        if self.default_arguments is None:
            self.default_arguments = {}
            for one in self.nodes.values():
                if one["kind"] not in FUNCTIONS or not self.file(one):
                    continue
                parameters = [child for child in one.get("inner", []) if child["kind"] == "ParmVarDecl"]
                for j, parameter in enumerate(parameters):
                    if parameter.get("inner") and "init" in parameter:
                        self.default_arguments[self.key(one), j] = parameter["inner"][0]
        return self.default_arguments.get((self.key(function), i))

    def overridden(self, node):
        """The methods of base classes that this one overrides, by name and type."""
        owner = self.parent(node)
        if not self.is_class(owner) or node["kind"] != "CXXMethodDecl":
            return []
        found = []
        for base in self.bases(owner):
            for child in base.get("inner", []):
                same = child.get("name") == node["name"] and child["kind"] == "CXXMethodDecl"
                if same and child["type"]["qualType"] == node["type"]["qualType"] and (
                        child.get("virtual") or self.overridden(child)):
                    found.append(self.key(child))
        return found

    def bases(self, record):
        return [base for one in record.get("bases", []) if (base := self.class_of_type(one["type"]["qualType"]))]

    def class_of_type(self, text):
        """The definition of the class (of a template: its pattern) that a type names."""
        for word in ("const ", "class ", "struct "):
            text = text.removeprefix(word)
        name = text.split("<")[0].strip()
        for node in self.nodes.values():
            if node["kind"] == "CXXRecordDecl" and node.get("completeDefinition") and not node.get("isImplicit"):
                qualified = self.qualified(node)
                if qualified == name or qualified.endswith("::" + name):
                    return node
        return None

    def is_guard(self, node):
        text = self.type_of(node).removeprefix("const ")
        if text.endswith(("&", "*")):
            return False
        name = text.split("<")[0].strip().split("::")[-1]
        if name not in self.guards:
            self.guards[name] = name in GUARDS
            record = None if name in GUARDS else self.class_of_type(text)
            if record:
                self.guards[name] = self.locks_and_unlocks(record)
        return self.guards[name]

    def locks_and_unlocks(self, record):
        names = {"CXXConstructorDecl": set(), "CXXDestructorDecl": set()}
        for child in record.get("inner", []):
            if child["kind"] == "FieldDecl" and self.is_guard(child):
                return True
            if child["kind"] in names:
                self.member_names(child, names[child["kind"]])
        return "lock" in names["CXXConstructorDecl"] and "unlock" in names["CXXDestructorDecl"]

    def member_names(self, node, into):
        if node["kind"] in ("MemberExpr", "CXXDependentScopeMemberExpr"):
            into.add(node.get("name", node.get("member", "")).removeprefix("->").removeprefix("."))
        for child in node.get("inner", []):
            self.member_names(child, into)


class Held:
    """The lines of a function in which one of its locks is held, by what may be true there on the paths that lead
    there: "" (not taken yet), "held" or "free" (released)."""

    def __init__(self, locks, i):
        self.locks, self.i, self.name = locks, i, locks[i][0]
        self.lines, self.doubtful, self.at_end = set(), set(), False
        self.state, self.line, self.depth, self.over = {""}, 0, 0, False
        self.guard = False    # the object is a variable that unlocks at the end of its scope
        self.guards = []      # the depths of the scopes of such variables of this name that are open
        self.adopted = []     # the depths of the scopes of those that release this object
        self.frames = []      # what breaks, and what begins anew, from the loops and switches around
        self.gone = set()

    def function(self, flow):
        """Whether the lock is taken in it, and so its region ends with it."""
        around, self.here = getattr(self, "here", None), False
        before = set(self.state)
        self.parts(flow)
        if self.here and self.is_held():
            self.at_end = True
        if self.here:
            self.over = True
        else:
            self.state = before
        self.here = around if not self.here else True

    def is_held(self):
        return "held" in self.state and (self.guard or "free" not in self.state)

    def move(self, line):
        """From the line of the last step to this one."""
        if "held" in self.state and not self.over:
            (self.lines if self.is_held() else self.doubtful).update(range(self.line, line + 1))
        self.line = line

    def parts(self, flow):
        for kind, part, line in flow:
            if self.over:
                return
            if kind in ("lock", "unlock"):
                self.move(line)
                self.event(kind, part)
            elif kind == "guard":
                self.move(line)
                if part == self.name and not self.began:
                    self.guards.append(self.depth)
            elif kind == "adopts":
                if part == self.name:
                    self.adopted.append(self.depth)
            elif kind == "return":
                self.move(line)
                if self.here and self.is_held():
                    self.at_end = True
                self.state = set()
            elif kind in ("break", "continue"):
                self.move(line)
                frame = next(one for one in reversed(self.frames) if kind in one)
                frame[kind] |= self.state
                self.state = set()
            elif kind == "goto":
                self.move(line)
                self.gone |= self.state
                self.state = set()
            elif kind == "target":
                self.move(line)
                self.state |= self.gone
            elif kind == "label":
                self.move(line)
                self.frames[-1]["default"] |= part
                self.state |= self.frames[-1]["before"]
            elif kind == "scope":
                self.scope_of(part, line)
            elif kind == "lambda":
                self.function(part)
                self.move(line)
            elif kind in ("loop", "endless"):
                before = set(self.state)
                self.frames.append({"break": set(), "continue": set()})
                self.parts(part)
                self.move(line)
                frame = self.frames.pop()
                self.state = frame["break"] | (self.state | frame["continue"] | before if kind == "loop" else set())
            elif kind == "switch":
                self.move(line)
                self.frames.append({"break": set(), "before": self.state, "default": False})
                self.state = set()
                self.parts(part[0])
                self.move(part[1])
                frame = self.frames.pop()
                self.state = self.state | frame["break"] | (set() if frame["default"] else frame["before"])
            elif kind == "if":
                self.move(line)
                before, after = set(self.state), set()
                for _, branch, end in part:
                    self.state = set(before)
                    self.parts(branch)
                    self.move(end)
                    after |= self.state
                self.state = after | (before if len(part) < 2 else set())

    def scope_of(self, part, line):
        self.depth += 1
        self.parts(part)
        self.move(line)
        self.depth -= 1
        if self.over:
            return
        while self.guards and not self.began and self.guards[-1] > self.depth:
            self.guards.pop()
        while self.adopted and self.adopted[-1] > self.depth:
            self.adopted.pop()
            if "held" in self.state:
                self.state = self.state - {"held"} | {"free"}
                self.window, self.freed = False, self.depth
        guard = self.began and self.guard and self.depth < self.guards[-1]
        out = self.began and not self.closed and self.depth < self.scope
        if (guard or out) and (not self.state or "held" in self.state):
            self.lines.add(line)
        self.over = self.over or guard
        self.closed = self.closed or out
        self.window = self.window and self.depth >= self.freed

    began = closed = window = False
    scope, freed = None, 0

    def event(self, kind, i):
        name, _, _, line, guard, _ = self.locks[i]
        if i == self.i:
            self.state, self.began, self.scope, self.here, self.line = {"held"}, True, self.depth, True, line
            if guard:
                self.guards.append(self.depth)
            self.guard = bool(self.guards)
            self.lines.add(line)
        elif name != self.name:
            return
        elif not self.began:
            if guard:
                self.guards.append(self.depth)
        elif kind == "unlock" and "held" in self.state:
            if "free" in self.state:
                self.lines |= self.doubtful
            self.state = self.state - {"held"} | {"free"}
            self.window, self.freed = self.depth > self.scope, self.depth
        elif kind == "lock" and "free" in self.state:
            if not self.closed and self.depth > self.scope and (self.window or "held" in self.state):
                self.state = {"held"}
            else:
                self.over = True


class Body:
    """The accesses, calls and regions of a function with its lambdas."""

    def __init__(self, unit, owner, name):
        self.unit, self.facts = unit, unit.facts
        self.owner, self.name = owner, name
        self.aliases, self.captured = {}, set()
        self.found = []      # accesses, before it is known which locals are shared
        self.local = set()   # fields that stand for locals
        self.declared = []   # (declaration, local), likewise
        self.locks = []      # (object, kind, file, line, whether a guard, the branches around)
        self.branches = []   # (first line, last line) of each `if`
        self.flow = []       # what happens in turn: locks, and (kind, parts, last line) of what contains them
        self.lambdas = []    # the nodes of the lambdas around
        self.scopes = []
        self.named_captures = []  # of the lambdas around: what a name stands for that they introduce
        self.late = set()    # the guards that lock later, and what a guard has adopted

    def run(self, nodes, decl):
        self.constructor = decl
        for node in nodes:
            if node["kind"] == "CXXCtorInitializer":
                self.initializer(node)
            elif node["kind"] == "CompoundStmt":
                self.statement(node)
            elif node["kind"].endswith(("Expr", "Literal", "Operator", "Cleanups")):
                fields = self.expression(node)
                if decl["kind"] == "VarDecl" and self.unit.type_of(decl).endswith("&"):
                    self.aliases[decl["id"]] = fields
        for access in self.found:
            if access.field not in self.local or access.field in self.captured:
                self.facts.accesses.add(access)
        self.facts.declared.update(declared for declared, local in self.declared if local in self.captured)
        self.finish_locks()

    def prefix(self):
        return f"{self.owner}::{self.name}()::" if self.owner else f"{self.name}()::"

    def access(self, node, where, field):
        file = self.unit.name_of_file(where)
        if file:
            self.found.append(Access(file, where["line"], where["col"], field))

    def initializer(self, node):
        for child in node.get("inner", []):
            implicit = child["range"]["begin"].get("offset") == self.constructor["loc"].get("offset")
            if implicit or child["kind"] == "CXXDefaultInitExpr":
                continue
            if "anyInit" in node:
                where = child["range"]["begin"]
                self.access(child, where, Field(self.owner, node["anyInit"]["name"], False))
            self.expression(child)

    # statements

    def statement_lines(self, file, first, last, holes):
        lines = [line for line in range(first, last + 1) if not any(a < line < b for a, b in holes)]
        if len(lines) > 1:
            self.facts.statements.add((file, tuple(lines)))

    def lambda_bodies(self, node):
        found = []
        if node.get("kind") == "LambdaExpr":
            body = [child for child in node["inner"] if child["kind"] == "CompoundStmt"][-1]
            found.append((self.unit.begin(body)[0], self.unit.end(body)[0]))
        for child in node.get("inner", []):
            if child.get("kind") != "CXXRecordDecl":
                found += self.lambda_bodies(child)
        return found

    def statement(self, node):
        kind = node["kind"]
        first, last = self.unit.begin(node)[0], self.unit.end(node)[0]
        scope = kind == "CompoundStmt" or kind in CONTROL - {"DoStmt"}
        if kind == "IfStmt":
            self.branches.append((first, last))
        if scope:
            self.scopes.append(last)
            with self.part("scope", last):
                self.structured(node, kind, first, last)
            self.scopes.pop()
        else:
            self.structured(node, kind, first, last)
        if kind == "IfStmt":
            self.branches.pop()

    def structured(self, node, kind, first, last):
        children = [child for child in node.get("inner", []) if child.get("kind")]
        if kind == "CompoundStmt":
            for child in children:
                self.statement(child)
        elif kind in CONTROL:
            heads = len(children) - 1
            if kind == "IfStmt":
                heads = 1 + node.get("hasInit", False) + node.get("hasVar", False)
            elif kind == "DoStmt":
                heads = 0
            if heads and (file := self.unit.file(node)):
                self.statement_lines(file, first, max(self.unit.end(child)[0] for child in children[:heads]),
                                     [hole for child in children[:heads] for hole in self.lambda_bodies(child)])
            if kind in ("IfStmt", "SwitchStmt"):
                for child in children[:heads]:
                    self.statement(child)
            if kind == "IfStmt":
                with self.part("if", self.unit.begin(children[heads])[0]):
                    for child in children[heads:]:
                        with self.part("branch", last if child is children[-1] else self.unit.begin(children[-1])[0]):
                            self.statement(child)
            elif kind == "SwitchStmt":
                with self.part("switch", self.unit.begin(children[heads])[0], last):
                    self.statement(children[heads])
            else:
                endless = kind == "ForStmt" and not node["inner"][2]
                with self.part("endless" if endless else "loop", last):
                    for child in children:
                        self.statement(child)
        elif kind in ("CaseStmt", "DefaultStmt"):
            self.flow.append(("label", kind == "DefaultStmt", first))
            for child in children:
                self.statement(child)
        elif kind == "LabelStmt":
            self.flow.append(("target", [], first))
            for child in children:
                self.statement(child)
        elif kind in ("BreakStmt", "ContinueStmt", "GotoStmt"):
            self.flow.append((kind.removesuffix("Stmt").lower(), [], last))
        elif kind == "DeclStmt":
            for child in children:
                if child["kind"] in ("VarDecl", "DecompositionDecl"):
                    self.variable(child)
            self.lines_of(node)
        elif kind == "ReturnStmt":
            for child in children:
                self.expression(child)
            self.lines_of(node)
            self.flow.append(("return", [], last))
        elif kind != "NullStmt":
            self.expression(node)
            self.lines_of(node)

    @contextlib.contextmanager
    def part(self, kind, line, last=None):
        around, self.flow = self.flow, []
        yield
        around.append((kind, self.flow if last is None else (self.flow, last), line))
        self.flow = around

    def lines_of(self, node):
        file = self.unit.file(node)
        if file:
            self.statement_lines(file, self.unit.begin(node)[0], self.unit.end(node)[0], self.lambda_bodies(node))

    def variable(self, node):
        if node["kind"] == "DecompositionDecl":
            return self.bindings(node)
        guard, file = self.unit.is_guard(node), self.unit.file(node)
        self.unit.arguments(node)
        if self.name and file:
            field = Field("", self.prefix() + node["name"], False)
            declared = Declared(file, self.unit.begin(node)[0], self.unit.end(node)[0], field, None)
            if self.unit.shared(node):
                self.facts.declared.add(declared)
            else:
                self.declared.append((declared, field))
        given = [part.strip() for part in re.sub(r"^[^(]*\(|\)$", "", self.unit.text(node)).split(",")] if guard and file else []
        if "sync::adopt_lock" in given:
            self.late.add(given[0])
            self.flow.append(("adopts", given[0], self.unit.begin(node)[0]))
        if "sync::defer_lock" in given:
            self.late.add(node["name"])
            self.flow.append(("guard", node["name"], self.unit.begin(node)[0]))
        elif guard and self.scopes:
            self.flow.append(("lock", len(self.locks), self.unit.begin(node)[0]))
            self.locks.append((node["name"], "lock", file, self.unit.begin(node)[0], True, ()))
            self.locked(node, file, self.unit.begin(node)[0])
        fields = set()
        for child in node.get("inner", []):
            fields |= self.expression(child, guard)
        if guard or self.unit.type_of(node).endswith("&"):
            self.aliases[node["id"]] = fields
        if not self.unit.type_of(node).endswith("&"):
            record = self.unit.class_of_type(self.unit.type_of(node))
            for child in (record or {}).get("inner", []):
                if child["kind"] == "CXXDestructorDecl" and not child.get("isImplicit"):
                    self.call(node, node["loc"], child)

    def bindings(self, node):
        """The names of a reference stand for the members of the object, those of a copy for nothing shared."""
        fields = set()
        for child in node["inner"]:
            if child["kind"] != "BindingDecl":
                fields |= self.expression(child)
            elif self.unit.type_of(node).endswith("&"):
                member = self.unit.nodes[child["inner"][0]["referencedMemberDecl"]]
                self.aliases[child["id"]] = fields | {Field(self.unit.owner(member), member["name"], False)}

    def aggregate(self, node, inner):
        """It runs the default initializers of the members that the list leaves out."""
        record = self.unit.class_of_type(self.unit.type_of(node))
        fields = [child for child in (record or {}).get("inner", []) if child["kind"] == "FieldDecl"]
        text, by_name = self.unit.text(node) if self.unit.file(node) else "", {field["name"]: field for field in fields}
        for found in re.finditer(r"\.(\w+)\s*=", text):  # only the text has designators
            if found.group(1) in by_name:
                where = dict(node["range"]["begin"])
                where["line"] += text[:found.start()].count("\n")
                self.access(node, where, Field(self.unit.qualified(record), found.group(1), False))
        for child, field in zip(inner, fields):
            if child["kind"] == "CXXDefaultInitExpr":
                where = node["range"]["begin"]
                self.facts.uses.add(Use(self.unit.name_of_file(where), where["line"],
                                        ("initializer", self.unit.qualified(field)), ""))

    def locked(self, node, file, line):
        """The lock on this line uses the declaration of what it locks."""
        reference = node.get("referencedDecl", {}).get("id", node.get("referencedMemberDecl"))
        decl = self.unit.nodes.get(reference)
        if decl and decl["kind"] in ("VarDecl", "FieldDecl") and not self.unit.is_const(decl) and self.unit.file(decl):
            key = self.unit.key(decl)
            self.facts.uses.add(Use(file, line, key, decl["name"]))
            record = self.unit.parents[decl["id"]]
            template = self.unit.parents[record["id"]] if record else None
            if decl["kind"] == "FieldDecl" and template["kind"] == "ClassTemplateDecl":
                parameters = [one.get("name") for one in template["inner"] if one["kind"] == "TemplateTypeParmDecl"]
                if decl["type"]["qualType"].rstrip("& ") in parameters:
                    self.facts.uses.add(Use(file, line, ("arguments", self.unit.qualified(record)), ""))
            if "()::" in key:
                self.facts.heads.add(Head(self.unit.file(decl), self.unit.begin(decl)[0], self.unit.end(decl)[0], key,
                                          decl["name"], self.unit.text(decl), ()))
        for child in node.get("inner", []):
            self.locked(child, file, line)

    def head(self, i):
        """Where the region begins: a lock that is taken under a condition is held behind it."""
        name, _, file, first, _, branches = self.locks[i]
        for begin, last in reversed(branches):
            if any(what == "unlock" and other == name and there == file and line <= last
                   for other, what, there, line, *_ in self.locks[i + 1:]):
                break
            first = begin
        return first

    def all_guards(self):
        def look(flow):
            for kind, part, _ in flow:
                if kind in ("guard", "adopts"):
                    yield kind, part
                elif isinstance(part, (list, tuple)):
                    yield from look(part[0] if kind == "switch" else part)

        return look(self.flow)

    def finish_locks(self):
        held = {name for kind, name in self.all_guards() if kind == "guard"}
        for i, (name, kind, file, taken, guard, _) in enumerate(self.locks):
            if kind != "lock":
                if name not in held:
                    self.facts.halves.add(Half(file, taken, False))
                continue
            held.add(name)
            path = Held(self.locks, i)
            path.function(self.flow)
            head = self.head(i)
            lines = tuple(sorted(path.lines | set(range(head, taken + 1))))
            self.facts.regions.add(Region(file, lines, taken, head))
            guards = {other for other, what, _, _, is_guard, _ in self.locks[:i + 1] if is_guard} | self.late
            if path.at_end and name not in guards:
                self.facts.halves.add(Half(file, taken, True))

    # expressions: each gives the fields that it designates

    def expression(self, node, gather=False):
        kind = node["kind"]
        inner = [child for child in node.get("inner", []) if child.get("kind")]
        if kind == "LambdaExpr":
            return self.lambda_expression(node)
        if kind == "DeclRefExpr":
            return self.named(node)
        if kind == "MemberExpr":
            return self.member(node, inner)
        if kind == "CXXDependentScopeMemberExpr":
            base = set().union(*[self.expression(child) for child in inner])
            field = Field("", node["member"], True)
            self.access(node, node["range"]["end"], field)
            return {field} | (set() if node["isArrow"] else base)
        if kind == "InitListExpr":
            self.aggregate(node, inner)
        if kind in ("CallExpr", "CXXMemberCallExpr", "CXXOperatorCallExpr"):
            return self.calling(node, inner)
        if kind in ("CXXConstructExpr", "CXXTemporaryObjectExpr"):
            record = self.unit.class_of_type(self.unit.type_of(node))
            for child in (record or {}).get("inner", []):
                if child["kind"] == "CXXConstructorDecl" and not child.get("isImplicit") and self.is_called(child, node):
                    self.call(node, node["range"]["begin"], child)
        fields = [self.expression(child, gather) for child in inner]
        if kind in ("ImplicitCastExpr", "ParenExpr", "ExprWithCleanups", "MaterializeTemporaryExpr") and fields:
            return fields[0]
        if kind == "UnaryOperator" and node["opcode"] == "&":
            return fields[0]
        if kind == "ConditionalOperator":
            return fields[1] | fields[2]
        if gather:
            return set().union(*fields) if fields else set()
        return set()

    @staticmethod
    def is_called(constructor, node):
        """By the last names of its parameters' types, of which a template may have some from its parameters."""
        def names(text):
            inside = re.sub(r"<[^<>]*>", "", text[text.index("(") + 1:text.rindex(")")])
            return [re.sub(r"[&*]|\bconst\b", "", part).split("::")[-1].strip() for part in inside.split(",") if part.strip()]

        written, called = names(constructor["type"]["qualType"]), names(node["ctorType"]["qualType"])
        return len(written) == len(called) and all(one == other or len(one) == 1 for one, other in zip(written, called))

    def named(self, node):
        reference = node["referencedDecl"]
        decl = self.unit.nodes.get(reference["id"], reference)
        self.use(node, node["range"]["begin"], decl)
        if reference["kind"] == "BindingDecl":
            for field in self.aliases.get(decl["id"], ()):
                self.access(node, node["range"]["begin"], field)
            return set(self.aliases.get(decl["id"], ()))
        if reference["kind"] == "VarDecl" and "loc" not in decl:
            return self.introduced(node, reference)
        if reference["kind"] not in ("VarDecl", "ParmVarDecl"):
            return set()
        if reference["kind"] == "VarDecl" and (field := self.unit.shared(decl)):
            if field.name.startswith("static "):
                field = Field("", self.prefix() + decl["name"], False)
            self.access(node, node["range"]["begin"], field)
            return {field}
        fields = set(self.aliases.get(decl["id"], ()))
        local = None
        if not self.unit.is_const(decl) and not self.unit.type_of(decl).endswith("&") and self.name:
            local = Field("", self.prefix() + decl["name"], False)
            if self.is_captured(decl):
                self.captured.add(local)
        for field in fields:
            self.access(node, node["range"]["begin"], field)
        if local:
            self.local.add(local)
            self.access(node, node["range"]["begin"], local)
            fields = fields | {local}
        return fields

    def introduced(self, node, reference):
        """What the capture list of a lambda introduces is declared nowhere else."""
        found = next((names[reference["name"]] for names in reversed(self.named_captures) if reference["name"] in names), None)
        if found is None:
            return set()
        for field in found:
            self.access(node, node["range"]["begin"], field)
        return set(found)

    def is_captured(self, decl):
        """By reference, by the outermost lambda in which the variable is not declared."""
        for node in self.lambdas:
            start, end = node["range"]["begin"]["offset"], node["range"]["end"]["offset"]
            if start <= decl["loc"].get("offset", -1) <= end:
                continue
            head = self.unit.text(node).split("]")[0]
            return "&" in head and "&" + decl["name"] in head.replace(" ", "") or head.replace(" ", "") == "[&"
        return False

    def member(self, node, inner):
        base = set().union(*[self.expression(child) for child in inner])
        decl = self.unit.nodes.get(node.get("referencedMemberDecl"))
        if decl is None:
            return base
        where = node["range"]["end"]
        self.use(node, where, decl)
        if decl["kind"] in FUNCTIONS:
            return base
        fields = set()
        if decl["kind"] == "FieldDecl":
            fields.add(Field(self.unit.owner(decl), decl["name"], False))
        elif field := self.unit.shared(decl):
            fields.add(field)
        if not node["isArrow"]:
            fields |= base
        for field in fields:
            self.access(node, where, field)
        return fields

    def calling(self, node, inner):
        callee, arguments = inner[0], inner[1:]
        target = callee
        while target["kind"] in ("ImplicitCastExpr", "ParenExpr"):
            target = target["inner"][0]
        if target["kind"] == "CXXDependentScopeMemberExpr":
            base = set().union(*[self.expression(child) for child in target.get("inner", [])])
            if not base:
                self.access(target, target["range"]["end"], Field("", target["member"], True))
        else:
            self.expression(callee)
        where = node["range"]["begin"]
        called = self.unit.nodes.get(target.get("referencedMemberDecl", target.get("referencedDecl", {}).get("id")))
        for i, argument in enumerate(arguments):
            if argument["kind"] != "CXXDefaultArgExpr":
                self.expression(argument)
                self.hand_over(where, argument)
            elif given := called and self.unit.default_argument(called, i):
                self.defaulted(node, where, given)
        if target["kind"] == "MemberExpr":
            decl = self.unit.nodes.get(target.get("referencedMemberDecl"))
            if decl and decl["kind"] in FUNCTIONS:
                self.call(node, where, decl)
            self.lock_call(node, target, decl.get("name") if decl else "")
        elif target["kind"] == "DeclRefExpr":
            decl = self.unit.nodes.get(target["referencedDecl"]["id"])
            self.lock_function(node, arguments, target["referencedDecl"].get("name"))
            if target["referencedDecl"].get("name") == "call_once":
                first = self.unit.begin(node)[0]
                lines = tuple(range(first, self.unit.end(node)[0] + 1))
                self.facts.regions.add(Region(self.unit.file(node), lines, first, first))
                self.locked(arguments[0], self.unit.file(node), self.unit.begin(node)[0])
            if decl and decl["kind"] in FUNCTIONS:
                self.call(node, where, decl)
        elif target["kind"] == "CXXDependentScopeMemberExpr":
            file = self.unit.name_of_file(where)
            self.facts.calls.add(Call(file, where["line"], where["col"], None, target["member"]))
            self.lock_call(node, target, target["member"])
        return set()

    def hand_over(self, where, argument):
        while argument["kind"] in ("ImplicitCastExpr", "ParenExpr", "UnaryOperator") and argument.get("opcode", "&") == "&":
            argument = argument["inner"][0]
        decl = self.unit.nodes.get(argument.get("referencedDecl", {}).get("id"))
        file = self.unit.name_of_file(where)
        if file and decl and decl["kind"] in FUNCTIONS and argument["kind"] == "DeclRefExpr":
            self.facts.handed.add(Call(file, where["line"], where["col"], self.unit.key(decl), decl["name"]))

    def defaulted(self, call, where, node):
        """Who calls a function without an argument calls and reads what its default argument does."""
        reference = node.get("referencedDecl", {}).get("id", node.get("referencedMemberDecl"))
        decl = self.unit.nodes.get(reference)
        if decl and decl["kind"] in FUNCTIONS:
            self.call(call, where, decl)
        elif decl and decl["kind"] == "FieldDecl":
            self.access(call, where, Field(self.unit.owner(decl), decl["name"], False))
        elif decl and decl["kind"] == "VarDecl" and (field := self.unit.shared(decl)):
            self.access(call, where, field)
        parts = [child for child in node.get("inner", []) if child.get("kind")]
        called = self.unit.nodes.get(parts[0]["inner"][0].get("referencedDecl", {}).get("id")) if node["kind"] == "CallExpr" else None
        for i, part in enumerate(parts):
            if part["kind"] != "CXXDefaultArgExpr":
                self.defaulted(call, where, part)
            elif given := called and self.unit.default_argument(called, i - 1):
                self.defaulted(call, where, given)

    def lock_call(self, node, target, name):
        text = self.unit.text(target)
        if "." in text or "->" in text:
            self.lock_of(node, text[:max(text.rfind("."), text.rfind("->"))], name)

    def lock_function(self, node, arguments, name):
        if arguments and name in LOCKS | UNLOCKS:
            self.lock_of(node, self.unit.text(arguments[0]).lstrip("& "), name)

    def lock_of(self, node, text, name):
        if name not in LOCKS | UNLOCKS or not self.scopes:
            return
        kind = "lock" if name in LOCKS else "unlock"
        where = node["range"]["begin"]
        if text in self.late or any(name == text and guard for name, _, _, _, guard, _ in self.locks):
            self.facts.kept.add((self.unit.file(node), where["line"]))
        self.flow.append((kind, len(self.locks), where["line"]))
        self.locks.append((text, kind, self.unit.file(node), where["line"], False, tuple(self.branches)))
        if kind == "lock":
            self.locked(node, self.unit.file(node), where["line"])

    def call(self, node, where, decl):
        file, key = self.unit.name_of_file(where), self.unit.key(decl)
        if file and key:
            self.facts.calls.add(Call(file, where["line"], where["col"], key, decl["name"]))
            self.use(node, where, decl)

    def use(self, node, where, decl):
        file, key = self.unit.name_of_file(where), self.unit.key(decl) if "loc" in decl else None
        if not file or not key:
            return
        if decl["kind"] in FUNCTIONS or decl["kind"] == "VarDecl" and self.unit.is_const(decl):
            self.facts.uses.add(Use(file, where["line"], key, decl["name"].split("<")[0]))

    @staticmethod
    def span(parts, one):
        start = sum(len(part) + 1 for part in parts[:parts.index(one)])
        return range(start, start + len(one))

    def lambda_expression(self, node):
        file, first, last = self.unit.file(node), self.unit.begin(node), self.unit.end(node)
        if file:
            name = self.name + "::(lambda)" * (len(self.lambdas) + 1)
            closure = next(child for child in node["inner"] if child["kind"] == "CXXRecordDecl")
            key = self.unit.key(next(child for child in closure["inner"] if child.get("name") == "operator()"))
            self.facts.functions.add(Function(file, first[0], last[0], self.owner, name, key, True, first, last))
        closure, *captures, body = node["inner"]
        written = re.match(r"\[(.*?)\]", self.unit.text(node), re.S).group(1).split(",") if file else []
        introduced = {}
        for kept, capture in zip([child for child in closure["inner"] if child["kind"] == "FieldDecl"], captures):
            name = next((re.match(r"\s*&?\s*(\w+)", one).group(1) for one in written if "=" in one
                         and kept["loc"]["offset"] - node["range"]["begin"]["offset"] - 1 in self.span(written, one)), None)
            if name or not self.unit.type_of(kept).endswith("&"):  # a copy reads what it is of
                fields = self.expression(capture)
                if name:
                    introduced[name] = fields if self.unit.type_of(kept).endswith("&") else set()
        self.named_captures.append(introduced)
        self.lambdas.append(node)
        with self.part("lambda", last[0]):
            self.statement(body)
        self.lambdas.pop()
        self.named_captures.pop()
        return set()
