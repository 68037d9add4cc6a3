class UntellableError(Exception):
    def __str__(self):
        raise self


def answer(client, desk, question):
    raise UntellableError
