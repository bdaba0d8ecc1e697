# For gdb; `reex replay --gdb` sources this file. It runs a recorded schedule up to the step that fails, and shows the
# test's threads. These are fibers on one thread of the kernel, so `info threads` shows a single one.
import gdb

SAVED = ("r12", "r13", "r14", "r15", "rbx", "rbp")  # in the order of Boost.Context's frames
STATES = ("unused", "live", "finished")
RUNTIME = ("libreex_rt", "libc.so", "libstdc++", "libgcc_s", "ld-linux")


def runtime(name):
    symbol = gdb.lookup_global_symbol("reex::" + name) or gdb.lookup_static_symbol("reex::" + name)
    if symbol is None:
        raise gdb.GdbError("libreex_rt.so has no debugging symbols: it was stripped")
    return symbol.value()


def fibers():
    table = runtime("g_fibers")
    slots = (table[i] for i in range(int(runtime("g")["fibers"])))
    return sorted(slots, key=lambda fiber: int(fiber["id"]))


def words(enumerator):
    return str(enumerator).rsplit("::", 1)[-1].replace("_", " ")


def is_of_the_user(frame):
    place = frame.find_sal()
    if place.symtab is None or place.symtab.fullname().startswith("/usr/"):
        return False
    library = gdb.solib_name(frame.pc()) or ""
    return not any(name in library for name in RUNTIME)


def user_frame():
    frame = gdb.newest_frame()
    while frame is not None and not is_of_the_user(frame):
        frame = frame.older()
    return frame


def place_of(frame):
    if frame is None:
        return "no line of the test's"
    place = frame.find_sal()
    return "%s at %s:%d" % (frame.name(), place.symtab.filename, place.line)


class Machine:
    """The registers of the thread that really runs, while those of a parked one are shown."""

    def __init__(self):
        self.real = None
        self.shown = None

    def show(self, fiber):
        self.restore()
        if int(fiber["id"]) == int(runtime("g")["current"]["id"]):
            return
        gdb.newest_frame().select()
        names = SAVED + ("rsp", "rip", "fs_base")
        self.real = {name: int(gdb.parse_and_eval("(unsigned long)$" + name)) for name in names}
        context = int(fiber["context"])
        values = dict(zip(SAVED, (self.word(context + 8 + 8 * i) for i in range(len(SAVED)))))
        values.update(rsp=context + 64, rip=self.word(context + 56), fs_base=int(fiber["fs"]))
        self.set(values)
        self.shown = int(fiber["id"])

    def restore(self):
        if self.real is not None:
            gdb.newest_frame().select()
            self.set(self.real)
        self.real = self.shown = None

    def current(self):
        return int(runtime("g")["current"]["id"]) if self.shown is None else self.shown

    @staticmethod
    def word(address):
        return int.from_bytes(bytes(gdb.selected_inferior().read_memory(address, 8)), "little")

    @staticmethod
    def set(values):
        for name, value in values.items():
            gdb.execute("set $%s = %d" % (name, value), to_string=True)


MACHINE = Machine()


def fiber_called(text):
    number = text.strip().lstrip("T")
    found = [f for f in fibers() if number.isdigit() and int(f["id"]) == int(number)]
    if not found:
        raise gdb.GdbError("there is no thread %s: info reex-threads lists them" % (text.strip() or "of no number"))
    if STATES[int(found[0]["state"])] != "live":
        raise gdb.GdbError("thread %s has ended and has no stack" % number)
    return found[0]


def select(fiber):
    MACHINE.show(fiber)
    frame = user_frame()
    if frame is not None:
        frame.select()
    return frame


class InfoThreads(gdb.Command):
    """info reex-threads: the test's threads, what each is about to do, and where."""

    def __init__(self):
        super().__init__("info reex-threads", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        shown = MACHINE.current()
        for fiber in fibers():
            number = int(fiber["id"])
            mark = "*" if number == shown else " "
            state = STATES[int(fiber["state"])]
            if state != "live":
                print("%s T%-3d %s" % (mark, number, state))
                continue
            place = place_of(select(fiber))
            print("%s T%-3d %s, %s" % (mark, number, words(fiber["pending"]["operation"]), place))
        select(next(f for f in fibers() if int(f["id"]) == shown))


class SelectThread(gdb.Command):
    """reex-thread N: shows the stack of the test's thread N. Its variables can be printed; what is executed
    goes on with the thread that really runs."""

    def __init__(self):
        super().__init__("reex-thread", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        fiber = fiber_called(argument)
        print("T%d, %s, %s" % (int(fiber["id"]), words(fiber["pending"]["operation"]), place_of(select(fiber))))


def run_to_failure():
    gdb.execute("set pagination off")
    gdb.execute("handle all nostop noprint pass", to_string=True)  # the test's own, or the failure
    for command in ("continue", "step", "next", "stepi", "nexti", "finish", "until", "advance", "detach"):
        gdb.execute("define hook-%s\npython MACHINE.restore()\nend" % command)
    gdb.Breakpoint("reex_at_failure", internal=True).silent = True  # its frame is one of the runtime
    control = runtime("g")["control"].dereference()
    debugger = control["debugger"]
    gdb.selected_inferior().write_memory(int(debugger.address), (3).to_bytes(4, "little"))
    gdb.execute("continue", to_string=True)
    if gdb.selected_inferior().pid == 0:
        print("The execution ended without a failure.")
        return
    failed = next(f for f in fibers() if int(f["id"]) == MACHINE.current())
    frame = select(failed)
    print("The recorded failure, after step %d, in T%d: %s" % (int(control["trace"]["steps"]) - 1, int(failed["id"]),
                                                             place_of(frame)))
    if frame is not None:
        gdb.execute("frame")
    print("info reex-threads lists the test's threads, reex-thread N shows one of them.")


InfoThreads()
SelectThread()
run_to_failure()
