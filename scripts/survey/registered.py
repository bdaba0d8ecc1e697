"""The tests that a build folder of CMake or Meson knows of."""
import collections
import json
import os
import shutil
import subprocess

from survey.usage import Usage

# `command` is empty: it has not been built. `folder` is where it runs; "": anywhere. `variables`: what it finds in the
# environment besides.
Registered = collections.namedtuple("Registered", "name command folder variables")


def is_build_folder(path):
    """Of a whole build, not of a part of it."""
    return is_of_cmake(path) or is_of_meson(path)


def is_of_cmake(path):
    return all(os.path.isfile(os.path.join(path, name)) for name in ("CMakeCache.txt", "CTestTestfile.cmake"))


def is_of_meson(path):
    return os.path.isfile(os.path.join(path, "meson-info", "intro-tests.json"))


def registered_tests(path):
    return of_ctest(path) if is_of_cmake(path) else of_meson(path)


def of_ctest(path):
    listed = answer(["ctest", "--show-only=json-v1"], path)
    for test in listed["tests"]:
        properties = {entry["name"]: entry["value"] for entry in test.get("properties", [])}
        pairs = [entry.partition("=") for entry in properties.get("ENVIRONMENT", [])]
        yield Registered(test["name"], test.get("command", []), properties.get("WORKING_DIRECTORY", ""),
                         {name: value for name, _, value in pairs})


def of_meson(path):
    for test in answer(["meson", "introspect", "--tests"], path):
        is_there = os.path.exists(test["cmd"][0])
        yield Registered(test["name"], test["cmd"] if is_there else [], test["workdir"] or "", test["env"])


def answer(command, folder):
    if not shutil.which(command[0]):
        raise Usage(f"{command[0]} is not here, which knows the tests of {folder}: install it, or give the tests' own "
                    "folder")
    result = subprocess.run(command, cwd=folder, check=False, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.DEVNULL)
    try:
        return json.loads(result.stdout)
    except ValueError:
        raise Usage(f"{' '.join(command)} does not list the tests of {folder}: it ended with status "
                    f"{result.returncode}") from None
