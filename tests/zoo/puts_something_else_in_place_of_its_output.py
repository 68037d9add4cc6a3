import sys

sys.stdout = sys.stderr = None
