raise SystemExit("this is nobody's site")
