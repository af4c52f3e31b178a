"""The same work for each tool: Garland's documents, Hurl's files, curl's configuration."""
import json
import pathlib


def write(path, lines):
    path = pathlib.Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "w") as file:
        file.writelines(lines)


def independent(folder, name, count, origin, defaults="", path="/json"):
    """`count` GETs that need nothing of each other: status and one JSON field each."""
    def garland():
        yield f"garland: 1\nname: {name}\n{defaults}steps:\n"
        for i in range(1, count + 1):
            yield f"  r{i}:\n    get: {origin}{path}?i={i}\n    expect:\n      status: 200\n      json:\n        $.id: 1\n"

    def hurl(numbers):
        for i in numbers:
            yield f'GET {origin}{path}?i={i}\nHTTP 200\n[Asserts]\njsonpath "$.id" == 1\n\n'

    write(folder / f"{name}.yaml", garland())
    write(folder / f"{name}.hurl", hurl(range(1, count + 1)))
    write(folder / f"{name}.curl", (f'url = "{origin}{path}?i={i}"\noutput = "/dev/null"\n' for i in range(1, count + 1)))
    parts = min(count, 100)
    for part in range(parts):
        write(folder / f"{name}-parts" / f"{part}.hurl", hurl(range(1 + part, count + 1, parts)))


def start(folder, origin):
    """One request, one assertion."""
    write(folder / "start.yaml", [f"garland: 1\nsteps:\n  one:\n    get: {origin}/json?i=1\n    expect: {{ status: 200 }}\n"])
    write(folder / "start.hurl", [f"GET {origin}/json?i=1\nHTTP 200\n"])


def chain(folder, count, origin):
    """Each request needs the token that the one before it got, and has it confirmed."""
    def garland():
        yield "garland: 1\nname: chain\nsteps:\n"
        for i in range(1, count + 1):
            before = "0" if i == 1 else f"${{r{i - 1}.token}}"
            yield (f"  r{i}:\n    get: {origin}/chain?prev={before}\n    expect:\n      status: 200\n"
                   f"      json: {{ $.prev: {json.dumps(before)} }}\n    extract: {{ token: $.token }}\n")

    def hurl():
        for i in range(1, count + 1):
            before = "0" if i == 1 else "{{t%d}}" % (i - 1)
            yield (f'GET {origin}/chain?prev={before}\nHTTP 200\n[Captures]\nt{i}: jsonpath "$.token"\n'
                   f'[Asserts]\njsonpath "$.prev" == "{before}"\n\n')

    write(folder / "chain.yaml", garland())
    write(folder / "chain.hurl", hurl())


def full(folder, count, origin):
    """Steps as people write them: two expectations, an extract that another one uses, a declared secret, and a report on disk."""
    apart = 64

    def garland():
        yield f"garland: 1\nname: full\nsecrets: [API_TOKEN]\ndefaults:\n  base_url: {origin}\nsteps:\n"
        for i in range(1, count + 1):
            yield f"  r{i}:\n    get: /secret\n    query: {{ i: {i}"
            if i > apart:
                yield f", name: '${{r{i - apart}.name}}'"
            yield " }\n    bearer: ${secrets.API_TOKEN}\n    expect:\n      status: 200\n      json: { $.id: 1 }\n"
            if i <= count - apart:
                yield "    extract: { name: $.name }\n"

    write(folder / "full.yaml", garland())


def rows(folder, count, origin):
    """The work of `full`, as one step over the rows of a file."""
    write(folder / "rows.csv", (line for line in ["i\n"] + [f"{i}\n" for i in range(1, count + 1)]))
    write(folder / "rows.yaml", [
        f"garland: 1\nname: rows\nsecrets: [API_TOKEN]\ndefaults:\n  base_url: {origin}\nsteps:\n"
        "  r:\n    rows: rows.csv\n    get: /secret?i=${item.i}\n    bearer: ${secrets.API_TOKEN}\n"
        "    expect:\n      status: 200\n      json: { $.id: 1 }\n    extract: { name: $.name }\n"])


def transfers(folder, files, sink, big, target):
    """A file that is larger than memory should be, down and up."""
    size = big.stat().st_size
    write(folder / "download.yaml", [
        f"garland: 1\nsteps:\n  big:\n    get: {files}/big.bin\n    download: {{ to: {target}, replace: true }}\n"])
    write(folder / "upload.yaml", [
        f"garland: 1\nsteps:\n  big:\n    post: {sink}/up\n    multipart: {{ file: {{ file: {big} }} }}\n"
        f"    expect:\n      json: {{ $.received: {{ gt: {size} }} }}\n"])
    write(folder / "download.hurl", [f"GET {files}/big.bin\nHTTP 200\n"])
    write(folder / "upload.hurl", [
        f'POST {sink}/up\n[Multipart]\nfile: file,{big.name};\nHTTP 200\n[Asserts]\njsonpath "$.received" > {size}\n'])


def checked(folder, count):
    """Steps that each name up to three others, for `check`."""
    def garland():
        yield "garland: 1\nname: check\nvars: { base: 'http://127.0.0.1:1' }\ndefaults: { base_url: '${vars.base}' }\nsteps:\n"
        for i in range(count):
            query = ", ".join(f"{name}: '${{s{i - back}.id}}'" for name, back in (("a", 1), ("b", 7), ("c", 100)) if i >= back)
            yield f"  s{i}:\n    get: /items/{i}\n"
            if query:
                yield f"    query: {{ {query} }}\n"
            yield f"    expect: {{ status: 200, json: {{ $.id: {i} }} }}\n    extract: {{ id: $.id }}\n"

    write(folder / f"check{count}.yaml", garland())
