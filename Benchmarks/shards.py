#!/usr/bin/env python3
"""How evenly `--shard` divides 2,000 steps, and how long shards take: Benchmarks/shards.py [--run] [--documents 40] [PATH OF garland]

Writes 40 documents of 50 steps and a report with a duration for each step, asks `garland plan --shards` for the division with and without that report, and
adds up the durations of each shard. Nothing is sent, and nothing is left to chance: the table is the same on every machine.

A document has a login that all of its steps need, ten groups (create, read, update, remove) of which each must stay together, and nine single steps. A step
takes 20 ms on average: most take 8 to 26 ms, one in 25 takes 100 ms.

--run carries out all shards as well, one after another, so that each has the machine for itself, and measures the time of each process: start, check of all
documents, requests, report. `garland sandbox` answers each request after the duration of its step. A shard sends four requests at once, as many as a usual
CI machine has processors. One table has steps of 20 ms each, the other steps of mixed lengths.
"""
import argparse
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

COUNTS = [1, 2, 4, 8, 16, 100, 1000]
RUN_COUNTS = [1, 2, 4, 8, 16]
AT_ONCE = 4
HERE = pathlib.Path(__file__).resolve().parent.parent


def document(name, seconds):
    """A document whose steps take the seconds that the function `seconds` says."""
    lines = ["garland: 1", f"name: {name}", 'defaults: { base_url: "${env.DELAYS ?? \'http://127.0.0.1:9\'}" }', "steps:"]

    def add(step, needs, more=""):
        uses = "&".join(f"{need}=${{{need}.status}}" for need in needs)
        lines.append(f"  {step}: {{ get: '/delay/{seconds(name, step):.4f}?{uses}'{more} }}")

    add("login", [])
    for group in range(10):
        add(f"create{group}", ["login"])
        add(f"read{group}", ["login", f"create{group}"])
        add(f"update{group}", ["login", f"create{group}"], f", after: read{group}")
        add(f"remove{group}", ["login", f"create{group}"], f", cleanup: create{group}")
    for index in range(9):
        add(f"single{index}", ["login"])
    return "\n".join(lines) + "\n"


def write_suite(folder, documents, is_mixed):
    """Writes the documents and a report of their durations. Returns the seconds of each step by file and id."""
    chance = random.Random(1)
    found = {}

    def seconds(name, step):
        found[f"t/{name}.yaml", step] = 0.02 if not is_mixed else 0.1 if chance.randrange(25) == 0 else chance.uniform(0.008, 0.026)
        return found[f"t/{name}.yaml", step]

    tests = folder / "t"
    tests.mkdir(exist_ok=True)
    for number in range(documents):
        (tests / f"d{number:02}.yaml").write_text(document(f"d{number:02}", seconds))
    work = sum(found.values())
    results = [{"file": file, "id": step, "outcome": "passed", "seconds": time} for (file, step), time in found.items()]
    report = {"format": "garland-report/1", "run": {"seconds": work, "sumOfStepSeconds": work}, "results": results}
    (folder / "r.json").write_text(json.dumps(report))
    return found


def divide(garland, folder, count, report):
    options = ["--from", report] if report else []
    command = [garland, "plan", "t", "--shards", str(count), "--format", "json", *options]
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    return json.loads(result.stdout)["shards"]


def plan_table(garland, folder, documents):
    seconds = write_suite(folder, documents, is_mixed=True)
    work = sum(seconds.values())
    print(f"{len(seconds)} steps, {work:.1f} s, {work / len(seconds) * 1000:.1f} ms each")
    print("| shards | an equal part | heaviest, without `--from` | heaviest, with `--from` | steps that run again, without | with |")
    print("|---:|---:|---:|---:|---:|---:|")
    for count in COUNTS:
        cells = [str(count), f"{work / count:.2f} s"]
        again = []
        for source in (None, "r.json"):
            shards = divide(garland, folder, count, source)
            loads = [sum(seconds[step["file"], step["id"]] for step in shard["steps"]) for shard in shards]
            cells.append(f"{max(loads) * count / work:.2f} ×")
            again.append(str(sum(len(shard["steps"]) for shard in shards) - len(seconds)))
        print("| " + " | ".join(cells + again) + " |")


def run_shards(garland, folder, url, count, report):
    """The seconds that each shard's process took. The merged report must have every step once, passed."""
    options = ["--from", report] if report else []
    times = []
    for number in range(1, count + 1):
        command = [
            garland, "run", "t", "--quiet", "--shard", f"{number}/{count}", "--concurrency", str(AT_ONCE), "--per-origin", str(AT_ONCE),
            "--report", f"json=s{number}.json", *options]
        began = time.monotonic()
        result = subprocess.run(command, cwd=folder, env={"DELAYS": url, "PATH": "/usr/bin"}, capture_output=True, text=True)
        times.append(time.monotonic() - began)
        if result.returncode != 0:
            sys.exit(f"error: shard {number}/{count} ended with {result.returncode}: {result.stdout[-2000:]}{result.stderr[-2000:]}")
    names = [f"s{number}.json" for number in range(1, count + 1)]
    subprocess.run([garland, "report", "merge", *names, "--quiet", "--report", "json=merged.json"], cwd=folder, check=True, capture_output=True)
    results = json.loads((folder / "merged.json").read_text())["results"]
    return times, len(results)


def run_table(garland, folder, url, documents, is_mixed):
    seconds = write_suite(folder, documents, is_mixed)
    work = sum(seconds.values())
    print(f"\n{len(seconds)} steps of {'mixed lengths' if is_mixed else '20 ms'}, {AT_ONCE} requests at once")
    print("| shards | ideal | slowest, without `--from` | of the ideal | slowest, with `--from` | of the ideal |")
    print("|---:|---:|---:|---:|---:|---:|", flush=True)
    for count in RUN_COUNTS:
        ideal = work / count / AT_ONCE
        cells = [str(count), f"{ideal:.2f} s"]
        for source in (None, "r.json"):
            times, found = run_shards(garland, folder, url, count, source)
            if found != len(seconds):
                sys.exit(f"error: the merged report of {count} shards has {found} results of {len(seconds)} steps")
            cells += [f"{max(times):.2f} s", f"{max(times) / ideal:.2f} ×"]
        print("| " + " | ".join(cells) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--run", action="store_true", help="carry out the shards and measure the time of each process")
    parser.add_argument("--documents", type=int, default=40, help="how many documents of 50 steps there are")
    parser.add_argument("garland", nargs="?", default=str(HERE / ".build/release/garland"))
    options = parser.parse_args()
    garland = str(pathlib.Path(options.garland).resolve())
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        plan_table(garland, folder, options.documents)
        if not options.run:
            return
        server = subprocess.Popen([garland, "sandbox", "--port", "0"], stdout=subprocess.PIPE, text=True)
        try:
            url = re.search(r"http://[\d.:]+", server.stdout.readline()).group(0)
            for is_mixed in (False, True):
                run_table(garland, folder, url, options.documents, is_mixed)
        finally:
            server.terminate()
            server.wait()


main()
