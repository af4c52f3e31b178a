#!/usr/bin/env python3
"""Times `garland check` on documents of 1,000, 10,000 and 100,000 steps, and says how its cost grows.

    Benchmarks/check_scaling.py [path/to/garland]     default: .build/release/garland

The rounds of the sizes are interleaved, since a machine's speed drifts; what counts is the ratio between the sizes in the same run.
Growth 1.0 is linear: the cost of a step does not depend on how many there are.
"""
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

SIZES = [1_000, 10_000, 100_000]
ROUNDS = {1_000: 15, 10_000: 15, 100_000: 5}


def document(size):
    """The lines of a document whose steps each name up to three others: 300,000 references among 100,000 steps.

    They are written as they come: a process that is started from a large one is charged with that one's memory.
    """
    yield from ["garland: 1", "name: Scaling", "vars: { base: 'http://127.0.0.1:1' }", "defaults: { base_url: '${vars.base}' }", "steps:"]
    for i in range(size):
        query = ", ".join(f"{name}: '${{s{i - back}.id}}'" for name, back in (("a", 1), ("b", 7), ("c", 100)) if i >= back)
        yield f"  s{i}:"
        yield f"    get: /items/{i}"
        if query:
            yield f"    query: {{ {query} }}"
        yield f"    expect: {{ status: 200, json: {{ $.id: {i} }} }}"
        yield "    extract: { id: $.id }"


def run(command):
    started = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(command)} ended with {process.returncode}")
    return wall, usage.ru_maxrss / 1024


def main():
    garland = sys.argv[1] if len(sys.argv) > 1 else ".build/release/garland"
    times = {size: [] for size in SIZES}
    memory = {size: [] for size in SIZES}
    with tempfile.TemporaryDirectory() as folder:
        paths = {}
        for size in SIZES:
            paths[size] = os.path.join(folder, f"{size}.yaml")
            with open(paths[size], "w") as file:
                file.writelines(line + "\n" for line in document(size))
        empty = []
        for round_number in range(max(ROUNDS.values())):
            empty.append(run([garland, "--version"])[0])
            for size in SIZES:
                if round_number < ROUNDS[size]:
                    wall, peak = run([garland, "check", paths[size]])
                    times[size].append(wall)
                    memory[size].append(peak)
    start = statistics.median(empty)
    print(f"start of the process: {start * 1000:.1f} ms")
    reference = None
    print(f"{'steps':>8} {'median':>10} {'min':>10} {'max':>10} {'per step':>10} {'growth':>7} {'peak':>9} {'a step':>8}")
    for size in SIZES:
        median = statistics.median(times[size])
        each = (median - start) / size
        reference = reference or each
        print(
            f"{size:>8} {median * 1000:>7.0f} ms {min(times[size]) * 1000:>7.0f} ms {max(times[size]) * 1000:>7.0f} ms"
            f" {each * 1e6:>7.1f} µs {each / reference:>7.2f} {statistics.median(memory[size]):>5.0f} MiB"
            f" {statistics.median(memory[size]) * 1024 / size:>4.1f} KiB")


if __name__ == "__main__":
    main()
