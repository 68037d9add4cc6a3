answer = "C1: ord-101 shipped"
