"""Tests as they are, without reex."""
import ctypes
import os
import signal
import subprocess
import tempfile
import time

LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.ptrace.restype = ctypes.c_long
LIBC.ptrace.argtypes = [ctypes.c_long] * 4
PTRACE_CONT, PTRACE_DETACH, PTRACE_GETEVENTMSG, PTRACE_SEIZE = 7, 17, 0x4201, 0x4206
PTRACE_O_TRACECLONE, PTRACE_EVENT_CLONE, PTRACE_EVENT_STOP = 8, 3, 128
WALL = 0x40000000
STOPPED = ["/bin/sh", "-c", 'kill -STOP $$; exec "$@"', "sh"]  # so that the tracer is there before the test begins


def variables(test, folder):
    """The environment of a run: temporary files go into its own folder, so that runs side by side do not meet."""
    return {**os.environ, "TMPDIR": folder, "TEST_TMPDIR": folder, **test.variables()}


def end_group(pid, signals):
    """Ends the processes that the session of `pid` still has."""
    for number in signals:
        try:
            os.killpg(pid, number)
        except (ProcessLookupError, PermissionError):
            return


class Native:
    """One native execution, under a tracer up to its first new thread: a look at /proc now and then would miss
    threads that live only for a moment."""

    def __init__(self, test, folder, limit):
        self.threads = False
        self.status = None  # None: the time limit was reached
        started = time.monotonic()
        with subprocess.Popen([*STOPPED, *test.native_command()], cwd=test.folder(folder), stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=variables(test, folder),
                              start_new_session=True) as process:
            os.waitpid(process.pid, os.WUNTRACED)
            traced = LIBC.ptrace(PTRACE_SEIZE, process.pid, 0, PTRACE_O_TRACECLONE) == 0
            os.kill(process.pid, signal.SIGCONT)
            deadline = started + limit
            pause = 0.0005
            while time.monotonic() < deadline:
                pid, status = os.waitpid(process.pid, os.WNOHANG | WALL)
                if pid == 0:
                    if not traced and not self.threads:
                        self.threads = self.several(process.pid)
                    time.sleep(pause)
                    pause = min(pause * 1.5, 0.02)
                elif os.WIFSTOPPED(status):
                    traced = self.continue_stopped(pid, status)
                else:
                    self.status = os.waitstatus_to_exitcode(status)
                    break
            self.seconds = time.monotonic() - started
            end_group(process.pid, [signal.SIGKILL])
            if self.status is None:
                pid, status = os.waitpid(process.pid, WALL)
                while os.WIFSTOPPED(status):
                    pid, status = os.waitpid(process.pid, WALL)
            process.returncode = self.status if self.status is not None else -signal.SIGKILL

    @staticmethod
    def several(pid):
        try:
            return len(os.listdir(f"/proc/{pid}/task")) > 1
        except OSError:
            return False

    def continue_stopped(self, pid, status):
        """Lets a stopped process go on; says whether it is still traced."""
        event = status >> 16
        if event == PTRACE_EVENT_CLONE:
            self.threads = True
            thread = ctypes.c_ulong()
            LIBC.ptrace(PTRACE_GETEVENTMSG, pid, 0, ctypes.addressof(thread))
            try:
                os.waitpid(thread.value, WALL)
                LIBC.ptrace(PTRACE_DETACH, thread.value, 0, 0)
            except ChildProcessError:
                pass
            LIBC.ptrace(PTRACE_DETACH, pid, 0, 0)
            return False
        LIBC.ptrace(PTRACE_CONT, pid, 0, 0 if event == PTRACE_EVENT_STOP else os.WSTOPSIG(status))
        return True


def run_natively(test, options, folder):
    """Status, threads and seconds of the native executions. Without a thread one execution is enough."""
    statuses, seconds, threads = [], [], False
    for _ in range(options.native):
        with tempfile.TemporaryDirectory(dir=folder, ignore_cleanup_errors=True) as cwd:
            try:
                run = Native(test, cwd, options.native_limit)
            except OSError as error:
                return {"statuses": [str(error)], "threads": False, "seconds": 0}
        threads = threads or run.threads
        statuses.append("time-out" if run.status is None else run.status)
        seconds.append(round(run.seconds, 3))
        if not threads or run.status is None:
            break
    return {"statuses": statuses, "threads": threads, "seconds": max(seconds)}
