"""Examples whose lines are broken for the manual page mean the same as in docs/language, and no cell of a table is lost."""
import os
import pathlib
import re
import sys

import yaml

SOURCES = pathlib.Path(os.environ["SOURCES"])
sys.path.insert(0, str(SOURCES / "Packaging"))
from pack import narrow  # noqa: E402

TABLE = re.compile(r"^\|.*\|\n\|[-:| ]+\|\n((?:\|.*\|\n)*)", re.MULTILINE)
EXAMPLE = re.compile(r"^```yaml\n(.*?)^```", re.MULTILINE | re.DOTALL)


def meaning(example):
    """Returns what the example says. This reader wants quotes around `?` where the examples need none."""
    return [yaml.serialize(document) for document in yaml.compose_all(example.replace("?", "%3F"))]


broken = 0
for page in sorted((SOURCES / "docs/language").glob("*.md")):
    before = page.read_text()
    after = narrow.narrowed(before)
    pairs = list(zip(EXAMPLE.findall(before), EXAMPLE.findall(after), strict=True))
    for old, new in pairs:
        broken += old != new
        assert meaning(old) == meaning(new), f"{page.name}: another meaning:\n{new}"
    prose = re.sub(r"\s+", " ", EXAMPLE.sub("", after))
    for rows in TABLE.findall(before):
        for cell in (cell for row in rows.splitlines() for cell in narrow.cells(row)):
            assert cell in prose, f"{page.name}: `{cell}` is lost"
assert broken > 10, "no example had a long line: does this test still look at the right pages?"
print(f"    {broken} examples broken for 80 columns mean the same")
