def answer(client, desk, question):
    params = {"model": "claude-sonnet-5", "max_tokens": 100, "messages": [{"role": "user", "content": question}]}
    asks = [{"custom_id": f"n{at}", "params": params} for at in range(3000)]
    batch = client.messages.batches.create(requests=asks)
    while batch.processing_status != "ended":
        batch = client.messages.batches.retrieve(batch.id)
    return "-"
