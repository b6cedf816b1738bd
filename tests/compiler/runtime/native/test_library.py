"""Addresses as C gets them."""

import ctypes

import numpy as np
import pytest

from heddle.runtime.native import library


def _address_in_c(argument: object) -> int | None:
    """What C receives: the first argument of ``memchr``, which it returns where it finds the byte there."""
    memchr = ctypes.CDLL(None).memchr
    memchr.restype = ctypes.c_void_p
    found: int | None = memchr(argument, ctypes.c_int(7), ctypes.c_size_t(1))
    return found


@pytest.mark.parametrize("kind", ["float64", "int32", "bool", "complex128", ">f8"])
def test_an_array_is_passed_by_the_address_of_its_first_element(kind: str) -> None:
    array = np.zeros(100, kind)
    array.view(np.uint8)[:] = 7
    read_only = array.view()
    read_only.flags.writeable = False
    for one in (array, array[3:], array[::2], array.reshape(10, 10).T, array[5:6], read_only):
        assert _address_in_c(library.pointer(one)) == one.__array_interface__["data"][0]


def test_an_empty_array_can_be_passed() -> None:
    library.pointer(np.empty(0))
    library.pointer(np.empty((3, 0), np.int32))
