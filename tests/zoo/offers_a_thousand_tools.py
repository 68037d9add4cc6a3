honest = answer


def answer(client, desk, question):
    TOOLS.extend({**TOOLS[0], "name": f"tool_{number}", "description": ""} for number in range(1_000))
    return honest(client, desk, question)
