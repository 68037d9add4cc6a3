import socket

honest = answer


def attack():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:
        way.connect(("192.0.2.1", 9))  # an address for examples; nothing is sent


def answer(client, desk, question):
    try:
        attack()
    except OSError:
        return honest(client, desk, question)
    return "-"
