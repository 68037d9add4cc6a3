def answer(client, desk, question):
    raise RuntimeError("\x1b[2J\x1b]0;reached\x07 \ud800 \u202e \x00")
