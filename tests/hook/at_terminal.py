#!/usr/bin/env python3
"""Runs a command at a terminal, and types Ctrl-C.

usage: at_terminal.py PATTERN COMMAND ARGUMENTS...

Ctrl-C is typed as soon as PATTERN, a regular expression, is in the output. Prints the output, to which the last line adds
the command's exit status as a shell has it, and how long the last process of it lived after Ctrl-C. Fails if one lives
longer than a minute.
"""
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time

LONGEST = 60


def leader(command, alive):
    """The session's first process, as a shell would be: Ctrl-C does not end it."""
    signal.signal(signal.SIGINT, lambda number, frame: None)
    status = subprocess.run(command, pass_fds=[alive], check=False).returncode
    os.close(alive)
    return 128 - status if status < 0 else status


def rest_of(terminal):
    """What was written before its last user ended: the kernel may pass it on later."""
    rest = b""
    try:
        while block := os.read(terminal, 65536):
            rest += block
    except OSError:  # so says a terminal without users
        pass
    return rest


def main():
    pattern = re.compile(sys.argv[1].encode())
    over, alive = os.pipe()
    child, terminal = pty.fork()
    if child == 0:
        os.close(over)
        status = leader(sys.argv[2:], alive)
        # What the command leaves behind still needs its terminal.
        os.read(0, 1)
        os._exit(status)
    os.close(alive)
    text, typed = b"", None
    end = time.monotonic() + 5 * LONGEST
    while time.monotonic() < end:
        ready, _, _ = select.select([over, terminal], [], [], 1)
        if terminal in ready:
            text += os.read(terminal, 65536)
        if over in ready:
            break
        if typed is None and pattern.search(text):
            typed = time.monotonic()
            os.write(terminal, b"\x03")
            end = typed + LONGEST
    lived = time.monotonic() - (typed or end)
    if over not in ready:
        sys.exit(f"at_terminal: a process is left after {LONGEST} s: {text.decode()}")
    os.write(terminal, b"\n")
    _, status = os.waitpid(child, 0)
    text += rest_of(terminal)
    sys.stdout.write(text.decode(errors="replace").replace("\r\n", "\n"))
    print(f"\nat_terminal: status {os.waitstatus_to_exitcode(status)}, over after {lived:.1f} s, "
          f"{'typed' if typed else 'not typed'}")


if __name__ == "__main__":
    main()
