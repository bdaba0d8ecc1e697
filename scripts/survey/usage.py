"""The error of whoever calls."""


class Usage(Exception):
    """Wrong usage, in one line."""
