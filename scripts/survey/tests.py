"""Which tests there are."""
import os
import re
import shlex
import shutil
import subprocess

from survey.programs import program
from survey.registered import is_build_folder, registered_tests
from survey.usage import Usage


class Test:
    """A plain program, or one case of a program with a test framework. `choose`: the native arguments for a case.
    `registered`: what the build folder says of it, if it comes from one."""

    def __init__(self, suite, binary, arguments, filter_, digest, choose=None, registered=None):
        self.suite, self.binary, self.arguments, self.filter, self.digest = suite, binary, arguments, filter_, digest
        self.choose, self.registered = choose, registered

    def name(self):
        words = [os.path.basename(self.binary)] + ([self.filter] if self.filter else []) + \
            [shlex.quote(word) for word in self.arguments]
        if self.registered is None:
            return " ".join(words)
        name = self.registered.name
        return f"{name} {self.filter}" if self.filter and self.filter not in name else name

    def folder(self, own):
        """Where it runs: what its build says, or else the run's own folder."""
        return self.registered.folder if self.registered and self.registered.folder else own

    def variables(self):
        return self.registered.variables if self.registered else {}

    def native_command(self):
        return [self.binary] + (self.choose(self.filter) if self.filter else []) + self.arguments

    def reex_words(self):
        words = ["--filter", self.filter] if self.filter else []
        return words + [self.binary] + (["--", *self.arguments] if self.arguments else [])


class Collection:
    """Gathers the tests that the command line names."""

    def __init__(self, options):
        self.options = options
        self.tests = []
        self.without_hooks = 0
        self.not_built = 0
        self.scripts = 0  # tests of a build folder that are no programs for x86-64
        self.silent = []  # binaries with a test framework that do not list their tests

    def add_binary(self, suite, binary, arguments, wanted, registered=None):
        binary = os.path.abspath(binary)
        found = program(binary) if os.access(binary, os.X_OK) else None
        if found is None:
            if wanted:
                raise Usage(f"{binary} is no program for x86-64 Linux that can be executed")
            return
        if not self.options.any and not found.has_hooks:
            self.without_hooks += 1
            return
        names = [""]
        if found.choose:
            arguments, patterns = self.patterns_of(arguments, found.choose("*")[0].partition("*")[0])
            names = self.case_names(binary, patterns)
            if self.options.tests and len(names) > self.options.tests:
                names = [names[i * len(names) // self.options.tests] for i in range(self.options.tests)]
        for name in names:
            self.tests.append(Test(suite, binary, arguments, name, found.digest, found.choose, registered))

    @staticmethod
    def patterns_of(arguments, option):
        """The arguments without the framework's own `option`, such as `--gtest_filter=`, which would be in the way
        of the case that is run, and the last pattern that it gives."""
        is_pattern = [option.endswith("=") and argument.startswith(option) for argument in arguments]
        patterns = [argument[len(option):] for argument, chooses in zip(arguments, is_pattern) if chooses]
        others = [argument for argument, chooses in zip(arguments, is_pattern) if not chooses]
        return others, patterns[-1:]

    def case_names(self, binary, patterns):
        chosen = [word for pattern in patterns for word in ("--filter", pattern)]
        listed = subprocess.run([self.options.reex, "list", "tests", *chosen, binary], stdin=subprocess.DEVNULL,
                                check=False, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        names = listed.stdout.decode(errors="replace").splitlines()
        if listed.returncode != 0 or not names:
            self.silent.append(binary)
            return []
        if len(names) == 1 and names[0].startswith(f"{binary} is explored as a whole: "):
            return [""]
        return [name for name in names if not re.search(r"(^|[./])DISABLED_", name)]

    def add_folder(self, root):
        for folder, folders, files in os.walk(root):
            # CMake tries the compiler out with programs in a folder of its own.
            folders[:] = sorted(name for name in folders if name != "CMakeFiles" and not name.startswith("."))
            suite = os.path.relpath(folder, root).split(os.sep)[0]
            if suite == ".":
                suite = os.path.basename(os.path.abspath(root))
            for file in sorted(files):
                self.add_binary(suite, os.path.join(folder, file), [], False)

    def add_build(self, path):
        """The tests of a build folder, as it starts them; its programs, if it has no tests."""
        suite = os.path.basename(os.path.abspath(path))
        known = list(registered_tests(path))
        for entry in known:
            binary = shutil.which(entry.command[0], path=entry.variables.get("PATH")) if entry.command else None
            if binary is None:
                self.not_built += 1
            elif program(binary) is None:
                self.scripts += 1
            else:
                self.add_binary(suite, binary, entry.command[1:], True, entry)
        if not known:
            self.add_folder(path)

    def add_list(self, path):
        """A line is a command: a binary, relative to the list's folder, and its arguments. `[NAME]` names the suite
        of the lines below it."""
        suite = os.path.splitext(os.path.basename(path))[0]
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                line = line.strip()
                if line.startswith("[") and line.endswith("]"):
                    suite = line[1:-1]
                elif line and not line.startswith("#"):
                    try:
                        binary, *arguments = shlex.split(line)
                        self.add_binary(suite, os.path.join(os.path.dirname(path), binary), arguments, True)
                    except (ValueError, Usage) as error:
                        raise Usage(f"{path}:{number}: {error}") from None

    def add(self, path):
        if os.path.isdir(path):
            if is_build_folder(path):
                self.add_build(path)
            else:
                self.add_folder(path)
        elif not os.path.exists(path):
            raise Usage(f"there is no {path}")
        elif program(path) is not None:
            self.add_binary(os.path.basename(os.path.dirname(os.path.abspath(path))), path, [], True)
        else:
            try:
                self.add_list(path)
            except UnicodeDecodeError:
                raise Usage(f"{path} is no program, no folder and no list of programs") from None
