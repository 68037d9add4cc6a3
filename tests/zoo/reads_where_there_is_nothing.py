import ctypes


def answer(client, desk, question):
    ctypes.string_at(0)
