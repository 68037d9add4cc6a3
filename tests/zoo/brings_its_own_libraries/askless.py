verdict = "reached"
