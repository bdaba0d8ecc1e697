"""What was done already."""
import hashlib
import json
import os
import threading


class Store:
    """The lines of the tests that were done: one line of JSON each, so that an interruption takes nothing."""

    def __init__(self, path, tool):
        self.path, self.tool, self.lock = path, tool, threading.Lock()
        self.lines = {}
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                for text in file:
                    try:
                        key, line = json.loads(text)
                        self.lines[key] = line
                    except ValueError:
                        pass  # the line during which the last run was interrupted

    def key(self, test, options):
        words = [self.tool, test.digest, test.suite, test.binary, test.filter, test.arguments, options.set,
                 options.native, test.registered]
        return hashlib.sha256(json.dumps(words).encode()).hexdigest()

    def put(self, key, line):
        with self.lock:
            self.lines[key] = line
            with open(self.path, "a", encoding="utf-8") as file:
                file.write(json.dumps([key, line]) + "\n")


def digest_of_tool(reex):
    """The tool and its runtime: another build may give other verdicts."""
    beside = os.path.dirname(os.path.realpath(reex))
    digest = hashlib.sha256()
    for path in [reex, os.path.join(beside, "../reex/runtime/libreex_rt.so"),
                 os.path.join(beside, "../lib/reex/libreex_rt.so")]:
        if os.path.exists(path):
            with open(path, "rb") as file:
                digest.update(file.read())
    return digest.hexdigest()
