"""Prints the data of a page of `--report html` as one JSON object: the packed index, and its blocks joined by kind."""

import base64
import gzip
import json
import re
import sys

text = open(sys.argv[1], encoding="utf-8").read()
data = {"steps": [], "results": []}
for name, packed in re.findall(r'<script type="application/octet-stream" id="(\w+)">([A-Za-z0-9+/=]*)</script>', text):
    value = json.loads(gzip.decompress(base64.b64decode(packed)))
    if name == "index":
        data["index"] = value
    else:
        data[{"s": "steps", "r": "results"}[name[0]]].extend(value)
# Without the data, what is left is the page itself.
data["page"] = re.sub(r'<script type="application/octet-stream".*?</script>', "", text, flags=re.S)
print(json.dumps(data))
