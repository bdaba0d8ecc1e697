"""What can become of a test."""

# What can become of a test that counts, the best first. A test with several sets of options is in the worst class
# of them.
CLASSES = {
    "right": "PASSED or NO FAILURE FOUND",
    "races": "status 1 for findings alone, such as data races: to be looked at",
    "failed": "status 1: a fault of the test, or a false failure",
    "no verdict": "status 3: inconclusive",
    "refused": "status 5: reex cannot control it, and says why",
    "not started": "status 4",
    "time-out": "reex did not end within the time limit",
    "internal": "status 70, or any other: an error of reex",
}
# Tests that do not count.
OUTSIDE = {
    "fails": "it does not pass natively, or not always",
    "no threads": "it creates no thread natively",
}
OF_STATUS = {0: "right", 1: "failed", 3: "no verdict", 4: "not started", 5: "refused"}
