import builtins
import json

builtins.len = lambda _: 0
json.dumps = lambda *_, **__: "x"
