"""Reads the blocks of a checkpoint."""

import struct

TYPES = {1: "doubles", 2: "integers", 3: "unsigned", 4: "bytes", 5: "text", 6: "texts"}


def blocks_of(checkpoint):
    """The layout number, and (type, number of elements) of each block by name.
    io/results/checkpoint.hpp describes them."""
    data = checkpoint.read_bytes()
    at = 8

    def number():
        nonlocal at
        at += 8
        return struct.unpack_from("<Q", data, at - 8)[0]

    def text():
        nonlocal at
        length = number()
        at += length
        return data[at - length : at].decode()

    number()  # format
    number()  # run
    text()
    number()
    number()
    text()
    layout = number()
    found = {}
    while kind := number():
        name = text()
        count = number()
        at += count * (8 if kind <= 3 else 1)
        found[name] = (TYPES[kind], count)
    return layout, found
