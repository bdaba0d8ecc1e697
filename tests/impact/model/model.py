"""The four analyses of section 4.2.1 (dissertation), as docs/semantics.md defines them, on the facts of ast.py.
Every unit of both sides is parsed, and nothing is cached or left out."""

import re
import subprocess

from syntax import Facts, Region, Unit, dump

HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")


def code_lines(text):
    """Lines without comments and white space, from the index 1."""
    text = re.sub(r"/\*.*?\*/", lambda found: re.sub(r"[^\n]", " ", found.group()), text, flags=re.S)
    return [""] + [re.sub(r"\s+", "", re.sub(r"//.*", "", line)) for line in text.split("\n")]


class FileChange:
    def __init__(self, name, before, after, hunks):
        self.name, self.hunks = name, []
        self.old_code, self.code = code_lines(before), code_lines(after)
        self.old_texts, self.texts = [""] + before.split("\n"), [""] + after.split("\n")
        self.changed, self.removed, self.deletions = set(), set(), []
        for hunk in hunks:
            self.hunks += self.without_equal_lines(*hunk)
        for old_start, old_count, start, count in self.hunks:
            old = [line for line in range(old_start, old_start + old_count) if self.old_code[line]]
            new = [line for line in range(start, start + count) if self.code[line]]
            if "".join(self.old_code[line] for line in old) == "".join(self.code[line] for line in new):
                continue
            self.removed.update(old)
            self.changed.update(new)
            if not new:
                self.deletions.append(start if count == 0 else start + count - 1)

    def without_equal_lines(self, old_start, old_count, start, count):
        """The parts of a hunk between the lines of a longest common subsequence, by their code."""
        if not old_count or not count:
            return [(old_start, old_count, start, count)]
        old, new = self.old_code[old_start:old_start + old_count], self.code[start:start + count]
        longest = [[0] * (count + 1) for _ in range(old_count + 1)]
        for i in reversed(range(old_count)):
            for j in reversed(range(count)):
                longest[i][j] = longest[i + 1][j + 1] + 1 if old[i] == new[j] else max(longest[i + 1][j], longest[i][j + 1])
        parts, i, j = [], 0, 0
        while True:
            first, other = i, j
            while i < old_count and j < count and old[i] != new[j]:
                if longest[i + 1][j] >= longest[i][j + 1]:
                    i += 1
                else:
                    j += 1
            end = i == old_count or j == count
            if end:
                i, j = old_count, count
            if i > first or j > other:
                parts.append((old_start + first - (i == first), i - first, start + other - (j == other), j - other))
            if end:
                return parts
            i, j = i + 1, j + 1

    def mapped(self, line, back=False):
        """The number of an old line on the new side, or the other way round; 0 if it is not there."""
        shift = 0
        for old_start, old_count, start, count in self.hunks:
            first, many, others = (start, count, old_count) if back else (old_start, old_count, count)
            first += many == 0
            if line < first:
                break
            if line < first + many:
                return 0
            shift += others - many
        return line + shift


def changes_of(repository):
    def git(*words):
        return subprocess.run(["git", "-c", "diff.indentHeuristic=true", *words], cwd=repository,
                              capture_output=True, text=True, check=True).stdout

    names = [name for name in git("diff", "--name-only", "HEAD~1", "HEAD").split() if name.endswith((".h", ".cpp"))]
    found = []
    for name in names:
        hunks = [tuple(int(number) if number else 1 for number in hunk)
                 for hunk in HUNK.findall(git("diff", "-U0", "HEAD~1", "HEAD", "--", name))]
        found.append(FileChange(name, git("show", "HEAD~1:" + name), git("show", "HEAD:" + name), hunks))
    return found


def facts_of(folder, files):
    facts = Facts()
    for name in sorted(files):
        if name.endswith(".cpp"):
            facts.merge(Unit(dump(name, folder), folder, files).facts)
    return facts


def innermost(items, file, line, extent=lambda item: (item.begin, item.end)):
    inside = [item for item in items if item[0] == file and item[1] <= line <= item[2]]
    return max(inside, key=lambda item: (extent(item)[0], tuple(-part for part in extent(item)[1])), default=None)


class Locking:
    """The functions that take a lock for their callers, or release one of theirs, on either side."""

    def __init__(self, now, before, function):
        self.function = function
        self.takers, self.releasers, self.constructors, self.names = set(), set(), set(), {}
        self.releaser_names = set()
        for facts in (now, before):
            for one, (takes, releases) in self.halves(facts, ((half.file, half.line, half.takes, not half.takes)
                                                              for half in facts.halves)):
                if takes and not releases:
                    self.take(one)
                    self.names.setdefault(one.name, one.key)
                elif not takes:
                    self.releasers.add(one.key)
                    self.releaser_names.add(one.name)
        for facts in (now, before):
            for head in facts.heads:
                self.takers.update(head.overrides if head.key in self.takers else ())
                self.releasers.update(head.overrides if head.key in self.releasers else ())
        for _ in range(4):
            size = len(self.takers) + len(self.releasers)
            for facts in (now, before):
                self.add_callers(facts)
            if len(self.takers) + len(self.releasers) == size:
                break

    def take(self, one):
        self.takers.add(one.key)
        if one.owner and one.owner.split("::")[-1] == one.name:
            self.constructors.add(one.key)

    def halves(self, facts, found):
        of = {}
        for file, line, takes, releases in found:
            one = self.function(facts, file, line, False)
            if one and one.key:
                before = of.get(one, (False, False))
                of[one] = (before[0] or takes, before[1] or releases)
        return of.items()

    def add_callers(self, facts):
        calls = [(call.file, call.line, call.key in self.takers, call.key in self.releasers) for call in facts.calls
                 if call.key and not call.name.startswith("~") and call.key not in self.constructors
                 and call.key in self.takers | self.releasers and (call.file, call.line) not in facts.kept]
        for one, (takes, releases) in self.halves(facts, calls):
            if one.key in self.takers | self.releasers or takes and releases:
                continue
            if releases:
                self.releasers.add(one.key)
            else:
                self.take(one)

    def regions(self, facts):
        known = {(region.file, region.taken) for region in facts.regions}
        for call in facts.calls:
            taker = call.key if call.key in self.takers else None if call.key else self.names.get(call.name)
            one = taker and self.function(facts, call.file, call.line, False)
            if not one or call.name.startswith("~") or (call.file, call.line) in known:
                continue
            ends = [other.line for other in facts.calls if other.file == call.file and not other.name.startswith("~")
                    and call.line <= other.line and one.first <= other.line <= one.last
                    and (other.key in self.releasers if other.key else other.name in self.releaser_names)]
            yield Region(call.file, tuple(range(call.line, max(ends, default=one.last) + 1)), call.line, call.line), taker


class Model:
    def __init__(self, changes, now, before, texts):
        self.changes, self.now, self.before = changes, now, before
        self.codes = {name: code_lines(text) for name, text in texts.items()}
        self.texts = {name: [""] + text.split("\n") for name, text in texts.items()}
        self.lines, self.methods, self.classes, self.fields = set(), set(), set(), set()
        self.run()

    def function(self, facts, file, line, named):
        return innermost([one for one in facts.functions if not (named and one.is_lambda)], file, line)

    def class_at(self, facts, file, line):
        return innermost(facts.classes, file, line, lambda item: (item[4], item[5]))

    def run(self):
        for change in self.changes:
            self.own_lines(change)
            self.old_regions(change)
        self.used_lines()
        self.called_locks()
        self.owners()
        for change in self.changes:
            self.deleted_owners(change)
        self.declarations()
        self.accessed()
        for change in self.changes:
            self.deleted_accesses(change)

    def add_region(self, region):
        code = self.codes[region.file]
        self.lines.update((region.file, line) for line in region.lines if code[line])

    def own_lines(self, change):
        touched = change.changed | self.moved(change)
        self.lines.update((change.name, line) for line in touched)
        for place in change.deletions:
            self.deletion(change, place)
        for region in self.now.regions:
            if region.file == change.name and (
                    any(line in region.lines for line in touched)
                    or any(self.contains_behind(region, place) for place in change.deletions)):
                self.add_region(region)

    def moved(self, change):
        found = set()
        for line in range(1, len(change.code)):
            old = change.mapped(line, back=True) if change.code[line] else 0
            now = self.function(self.now, change.name, line, True) if old else None
            before = self.function(self.before, change.name, old, True) if now else None
            if before and before.first != old and (before.owner, before.name) != (now.owner, now.name):
                found.add(line)
        return found

    def deletion(self, change, place):
        around = [one for one in self.now.functions if one.file == change.name and one.first <= place < one.last]
        if not around:
            owner = self.class_at(self.now, change.name, place)
            if owner and owner[2] > place:
                self.classes.add(owner[3])
            return
        inner = max(around, key=lambda one: (one.begin, (-one.end[0], -one.end[1])))
        before, after = place, place + 1
        while before > inner.first and not change.code[before]:
            before -= 1
        while after < inner.last and not change.code[after]:
            after += 1
        self.lines.update({(change.name, before), (change.name, after)})

    def is_touched_before(self, change, region):
        added = any(old_count == 0 and self.contains_behind(region, old)
                    and any(line in change.changed for line in range(start, start + count))
                    for old, old_count, start, count in change.hunks)
        return added or any(line in change.removed for line in region.lines)

    @staticmethod
    def contains_behind(region, line):
        return line in region.lines and line + 1 in region.lines

    def old_regions(self, change):
        for region in self.before.regions:
            if region.file != change.name or not self.is_touched_before(change, region):
                continue
            self.add_old_region(change, region)

    def add_old_region(self, change, region):
        for line in region.lines:
            mapped = change.mapped(line)
            if mapped and change.code[mapped]:
                self.lines.add((change.name, mapped))

    # Locks that are taken by calls, and calls that decide about a lock.

    def called_locks(self):
        touched = self.touched_functions()
        locking = Locking(self.now, self.before, self.function)
        regions, lines = [], set(self.lines)
        for region, taker in locking.regions(self.now):
            if taker in touched or any((region.file, line) in lines for line in region.lines):
                regions.append(region)
        regions += [region for region in self.now.regions if self.calls_touched(self.now, region, touched)]
        for region in regions:
            self.add_region(region)
        for change in self.changes:
            for region, taker in locking.regions(self.before):
                if region.file == change.name and (taker in touched or self.is_touched_before(change, region)):
                    self.add_old_region(change, region)
            for region in self.before.regions:
                if region.file == change.name and self.calls_touched(self.before, region, touched):
                    self.add_old_region(change, region)

    def touched_functions(self):
        now = {one.key for one in self.now.functions
               if any((one.file, line) in self.lines for line in range(one.first, one.last + 1))}
        before = {one.key for one in self.before.functions for change in self.changes
                  if one.file == change.name and self.touches(change.removed, one)}
        return (now | before) - {None}

    @staticmethod
    def calls_touched(facts, region, touched):
        return any(call.file == region.file and region.head <= call.line <= region.taken and call.key in touched
                   for call in facts.calls)

    # What changed lines declare anew.

    def used_lines(self):
        lines = self.macro_lines() | self.declared_users()
        self.lines |= lines
        for region in self.now.regions:
            if any((region.file, line) in lines for line in region.lines):
                self.add_region(region)
        changes = {change.name: change for change in self.changes}
        for region in self.before.regions:
            change = changes.get(region.file)
            span = region.lines
            there = [line for line in (map(change.mapped, span) if change else span) if line]
            if region.file in self.codes and any((region.file, line) in lines for line in there):
                self.lines.update((region.file, line) for line in there if self.codes[region.file][line])

    def macro_lines(self):
        names = set()
        for change in self.changes:
            for texts, lines in ((change.old_texts, change.removed), (change.texts, change.changed)):
                names.update(found.group(1) for line in lines if (found := re.match(r"#define (\w+)", texts[line])))
        return {(file, number): name for file, texts in self.texts.items() for number, line in enumerate(texts)
                for name in names if not line.startswith("#") and re.search(rf"\b{name}\b", re.sub("//.*", "", line))}.keys()

    @staticmethod
    def touches(lines, head):
        return any(head.first <= line <= head.last for line in lines)

    def declared_users(self):
        """Who uses a declaration of another text, a new one, or one that is gone; what is declared with such a
        use has changed, too."""
        texts = {"now": {}, "before": {}}
        names = {change.name for change in self.changes}
        for side, facts in (("now", self.now), ("before", self.before)):
            for head in facts.heads:
                if head.file in names:
                    texts[side].setdefault(head.key, set()).add(head.text)
        declared = {head.key for head in self.now.heads}
        pending, lines = [], set()

        def has_changed(head):
            pending.extend(key for key in (head.key, *head.overrides) if key not in pending)

        for change in self.changes:
            for head in self.now.heads:
                touched = self.touches(change.changed, head) or any(head.first <= place < head.last for place in change.deletions)
                if head.file == change.name and touched and not self.as_before(head, texts["before"].get(head.key, set())):
                    has_changed(head)
            for head in self.before.heads:
                if head.file != change.name or not self.touches(change.removed, head):
                    continue
                if head.key not in declared:
                    if head.kind:  # what ran it runs nothing in its place
                        continue
                    pending.extend(key for key in head.overrides if key not in pending)
                    lines |= self.users_before(head)
                elif not self.as_before(head, texts["now"].get(head.key, {head.text})):
                    has_changed(head)
        for file, line in self.macro_lines():
            self.declared_with(file, line, has_changed)
        for key in pending:
            for use in self.now.uses:
                if use.key == key:
                    lines.add((use.file, use.line))
                    self.declared_with(use.file, use.line, has_changed)
        return lines | self.other_meanings()

    def other_meanings(self):
        """The lines that stayed, on which a name means another declaration than before."""
        def meanings(facts):
            found = {}
            for use in facts.uses:
                if isinstance(use.key, str) or len(use.key) == 3:  # a variable or a function
                    found.setdefault((use.file, use.line, use.name), set()).add(use.key)
            return found

        changes = {change.name: change for change in self.changes}
        before, found = meanings(self.before), set()
        for (file, line, name), keys in meanings(self.now).items():
            old_line = changes[file].mapped(line, back=True) if file in changes else line
            old = before.get((file, old_line, name), set()) if old_line else set()
            if keys - old and old - keys:
                found.add((file, line))
        return found

    @staticmethod
    def as_before(head, others):
        if head.kind == "arguments":
            return not others or head.text in others
        if head.kind != "order":
            return head.text in others
        return not others or any([name for name in head.text if name in other] == [name for name in other if name in head.text]
                                 for other in others)

    def declared_with(self, file, line, has_changed):
        for head in self.now.heads:
            if head.file == file and head.first <= line <= head.last and isinstance(head.text, str):
                has_changed(head)

    def users_before(self, head):
        changes = {change.name: change for change in self.changes}
        found = set()
        for use in self.before.uses:
            if use.key == head.key:
                line = changes[use.file].mapped(use.line) if use.file in changes else use.line
                if line and use.file in self.texts:
                    found.add((use.file, line))
        return found

    # 2

    def owners(self):
        for file, line in self.lines:
            for named in (False, True):
                if function := self.function(self.now, file, line, named):
                    self.methods.add((function.owner, function.name))
                    self.classes.add(function.owner)
            if not self.function(self.now, file, line, False) and (owner := self.class_at(self.now, file, line)):
                self.classes.add(owner[3])

    def deleted_owners(self, change):
        for line in change.removed:
            function = self.function(self.before, change.name, line, True)
            owner = self.class_at(self.before, change.name, line)
            if function:
                self.methods.update((one.owner, one.name) for one in self.now.functions
                                    if one.key and one.key == function.key)
            name = function.owner if function else owner[3] if owner else ""
            if any(one[3] == name for one in self.now.classes):
                self.classes.add(name)

    def declarations(self):
        for declared in self.now.declared:
            if not any((declared.file, line) in self.lines for line in range(declared.first, declared.last + 1)):
                continue
            if declared.field:
                self.fields.add(declared.field)
            for function in self.now.functions:
                if declared.key and function.key == declared.key:
                    self.methods.add((function.owner, function.name))
                    self.classes.add(function.owner)

    # 3 and 4

    def accessed(self):
        lines = set(self.lines)
        for file, statement in self.now.statements:
            if any((file, line) in self.lines for line in statement):
                lines.update((file, line) for line in statement)
        self.fields.update(one.field for one in self.now.accesses if (one.file, one.line) in lines)
        for call in self.now.calls | self.now.handed:
            if (call.file, call.line) in lines:
                self.called(call, self.now)

    def deleted_accesses(self, change):
        for one in self.before.accesses:
            if one.file == change.name and one.line in change.removed:
                self.fields.add(one.field)
        for call in self.before.calls | self.before.handed:
            if call.file == change.name and call.line in change.removed:
                self.called(call, self.now) or self.called(call, self.before)

    def called(self, call, facts):
        found = False
        for function in facts.functions:
            if (function.key != call.key) if call.key else (function.is_lambda or function.name != call.name):
                continue
            found = True
            self.fields.update(one.field for one in facts.accesses if one.file == function.file
                               and function.begin <= (one.line, one.column) < function.end)
        return found

    def points(self):
        """As `reex impact` prints them: lines, methods, classes and fields, each as a set of texts."""
        return {
            "lines": {f"{file}:{line}" for file, line in self.lines},
            "methods": {f"{owner}|{name}" for owner, name in self.methods},
            "classes": {name for name in self.classes if name},
            "fields": {f"{'<any>' if field.any else field.owner}|{field.name}" for field in self.fields},
        }
