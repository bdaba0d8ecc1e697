"""What a file is: a program, with which hooks, with which test framework."""
import collections
import functools
import hashlib
import struct

# The test frameworks whose cases count one by one: what their programs contain, and the arguments that choose a case.
# A program with Boost.Test may use GoogleMock, too, and starts GoogleTest for it.
FRAMEWORKS = {
    b"5boost9unit_test9ut_detail24auto_test_unit_registrar": lambda name: [f"--run_test={name}"],
    b"InitGoogleTest": lambda name: [f"--gtest_filter={name}"],
    b"7doctest6detail7regTest": lambda name: ["--dt-test-case=" + name.replace("\\", "\\\\").replace(",", "\\,")],
    b"N5QTest5qExecEP7QObject": lambda name: [name],
    b"this wonderful help screen. Joy!": lambda name: ["-sg", name.partition(".")[0], "-sn", name.partition(".")[2]],
}


def program_of_elf(path):
    """The bytes of an ELF program for x86-64; None for another file, and for a library."""
    try:
        with open(path, "rb") as file:
            head = file.read(64)
            if len(head) < 64 or head[:6] != b"\x7fELF\x02\x01":
                return None
            kind, machine = struct.unpack_from("<HH", head, 16)
            if kind not in (2, 3) or machine != 62:
                return None
            data = head + file.read()
    except OSError:
        return None
    offset, = struct.unpack_from("<Q", data, 32)
    size, count = struct.unpack_from("<HH", data, 54)
    if offset + size * count > len(data):
        return None
    kinds = [struct.unpack_from("<I", data, offset + size * i)[0] for i in range(count)]
    interpreted = 3 in kinds  # PT_INTERP: what a library does not have
    return data if interpreted or kind == 2 else None


# `choose`: the arguments that choose a case, by its name; None: it has no framework that is known here.
Program = collections.namedtuple("Program", "has_hooks choose digest")


@functools.lru_cache(maxsize=None)  # a build folder may have a thousand tests of one program
def program(path):
    """What there is to know of a program; None: it is none."""
    data = program_of_elf(path)
    if data is None:
        return None
    return Program(b"libreex_hooks.so" in data or b"libtsan.so" in data,
                   next((choose for marker, choose in FRAMEWORKS.items() if marker in data), None),
                   hashlib.sha256(data).hexdigest())
