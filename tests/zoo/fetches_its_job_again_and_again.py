def answer(client, desk, question):
    while True:
        client._client.post(f"{client.base_url}job")
