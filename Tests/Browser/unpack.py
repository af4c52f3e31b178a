"""Prints the data of a page of `--report html`: `unpack.py [--raw] PAGE`.

As one JSON object: the packed index, and its blocks joined by kind. With --raw: the texts as they were packed, for those who search them.
"""

import base64
import gzip
import json
import re
import sys

BLOCK = re.compile(r'<script type="application/octet-stream" id="(\w+)">([A-Za-z0-9+/=]*)</script>')

text = open(sys.argv[-1], encoding="utf-8").read()
blocks = [(name, gzip.decompress(base64.b64decode(packed)).decode()) for name, packed in BLOCK.findall(text)]
# Without the data, what is left is the page itself.
page = BLOCK.sub("", text)
if "--raw" in sys.argv:
    sys.stdout.buffer.write("\n".join([page] + [packed for _, packed in blocks]).encode())
else:
    data = {"steps": [], "results": [], "page": page}
    for name, packed in blocks:
        if name == "index":
            data["index"] = json.loads(packed)
        else:
            data[{"s": "steps", "r": "results"}[name[0]]].extend(json.loads(packed))
    print(json.dumps(data))
