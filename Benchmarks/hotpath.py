#!/usr/bin/env python3
"""Counts the instructions of a step's way through Garland, without a network, beside those of a program of fixed work.

    Benchmarks/hotpath.py [--update] [--garland .build/release/garland]

`garland run` on documents of two sizes under callgrind, with a libcurl that answers from memory (programs/memory_curl.c): reading and planning the
document, building requests, parsing responses, two expectations, an extract and a masked secret each, lines on the console and a JUnit report. The
difference of the two is what the steps cost, without the start of the process. Its ratio to programs/reference.c is compared with the one in
results/hotpath.json: 5 % more is an error. --update writes what was measured there.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from harness import documents  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
FEW, MANY = 500, 1_500
TOLERANCE = 1.05


def build(folder):
    # The one that comes with Swift: another would make other instructions of the reference.
    compiler = pathlib.Path(shutil.which("swiftc") or sys.exit("error: swiftc is missing")).resolve().parent / "clang"
    # As Debian's libcurl names the version of its functions.
    (folder / "versions").write_text("CURL_OPENSSL_4 { global: curl_*; };\n")
    for command in (
        [compiler, "-O2", "-Wall", "-Wextra", "-shared", "-fPIC", "-Wl,-soname,libcurl.so.4", f"-Wl,--version-script={folder}/versions", "-o", folder / "libcurl.so.4",
         HERE / "programs/memory_curl.c"],
        [compiler, "-O2", "-Wall", "-Wextra", "-o", folder / "reference", HERE / "programs/reference.c"],
    ):
        if subprocess.run([str(x) for x in command]).returncode != 0:
            sys.exit("error: a program of the benchmark could not be compiled")


def instructions(command, folder, environment):
    """How many instructions a command takes, all its threads together."""
    result = subprocess.run(
        ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/callgrind.out", *[str(x) for x in command]],
        cwd=folder, env={**os.environ, **environment}, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    found = re.search(r"Collected\s*:\s*(\d+)", result.stderr)
    if result.returncode != 0 or not found:
        sys.exit(f"error: {' '.join(str(x) for x in command)} ended with {result.returncode}: {result.stderr[-2000:]}")
    return int(found.group(1))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--update", action="store_true", help="write what was measured")
    parser.add_argument("--garland", default=str(HERE.parent / ".build/release/garland"))
    options = parser.parse_args()
    garland = pathlib.Path(options.garland).resolve()
    if not garland.exists():
        sys.exit(f"error: {garland} is missing: make build")
    committed = HERE / "results/hotpath.json"
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        build(folder)
        environment = {
            "LD_LIBRARY_PATH": str(folder), "SWIFT_DETERMINISTIC_HASHING": "1", "API_TOKEN": "s3cr3t-benchmark-token", "TERM": "dumb", "LANG": "C.UTF-8"}
        counts = []
        for size in (FEW, MANY):
            documents.full(folder / str(size), size, "http://127.0.0.1:1")
            counts.append(instructions(
                [garland, "run", f"{size}/full.yaml", "--report", f"junit={folder}/report.xml"], folder, environment))
        reference = instructions([folder / "reference"], folder, {})
    each = (counts[1] - counts[0]) / (MANY - FEW)
    ratio = each / reference * 1000
    print(f"{each:,.0f} instructions a step, {counts[0] - FEW * each:,.0f} for the rest; reference {reference:,}; ratio {ratio:.4f}")
    if options.update:
        committed.write_text(json.dumps({"ratio": round(ratio, 4), "instructions_per_step": round(each), "reference": reference}, indent=1) + "\n")
        return
    known = json.loads(committed.read_text())
    change = ratio / known["ratio"]
    print(f"committed: ratio {known['ratio']:.4f}; this is {(change - 1) * 100:+.1f} %")
    if change > TOLERANCE:
        sys.exit("error: a step takes more instructions than before. If that is worth it: make hotpath-update")
    if change < 2 - TOLERANCE:
        print("Less than before: make hotpath-update keeps it so.")


if __name__ == "__main__":
    main()
