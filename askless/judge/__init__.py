"""Is a stranger's agent good enough? Run apart, counted here."""
