from concurrent.futures import ThreadPoolExecutor


def answer(client, desk, question, alone=answer):
    with ThreadPoolExecutor(8) as pool:
        texts = list(pool.map(lambda _: alone(client, desk, question), range(8)))
    return texts[0]
