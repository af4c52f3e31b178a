#!/usr/bin/env python3
"""How evenly `--shard` divides 2,000 steps of mixed lengths: Benchmarks/shards.py [PATH OF garland]

Writes 40 documents of 50 steps and a report with a duration for each step, asks `garland plan --shards` for the division with and without that report, and
adds up the durations of each shard. Nothing is sent, and nothing is left to chance: the table is the same on every machine.

A document has a login that all of its steps need, ten groups (create, read, update, remove) of which each must stay together, and nine single steps. A step
takes 20 ms on average: most take 8 to 26 ms, one in 25 takes 100 ms.
"""
import json
import pathlib
import random
import subprocess
import sys
import tempfile

GARLAND = str(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".build/release/garland").resolve())
COUNTS = [1, 2, 4, 8, 16, 100, 1000]


def document(name):
    lines = ["garland: 1", f"name: {name}", "defaults: { base_url: http://127.0.0.1:9 }", "steps:", "  login: { post: /login, extract: { t: $.t } }"]
    for group in range(10):
        user = "${login.t}"
        lines.append(f"  create{group}: {{ post: '/books?t={user}', extract: {{ id: $.id }} }}")
        lines.append(f"  read{group}: {{ get: '/books/${{create{group}.id}}?t={user}' }}")
        lines.append(f"  update{group}: {{ put: '/books/${{create{group}.id}}?t={user}', after: read{group} }}")
        lines.append(f"  remove{group}: {{ delete: '/books/${{create{group}.id}}?t={user}', cleanup: create{group} }}")
    lines += [f"  single{index}: {{ get: '/list/{index}?t=${{login.t}}' }}" for index in range(9)]
    return "\n".join(lines) + "\n"


def shards(folder, count, report):
    options = ["--from", report] if report else []
    command = [GARLAND, "plan", "t", "--shards", str(count), "--format", "json", *options]
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    return json.loads(result.stdout)["shards"]


def main():
    chance = random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        tests = pathlib.Path(folder) / "t"
        tests.mkdir()
        seconds = {}
        for number in range(40):
            name = f"d{number:02}"
            text = document(name)
            (tests / f"{name}.yaml").write_text(text)
            for line in text.splitlines():
                if line.startswith("  "):
                    step = line.split(":")[0].strip()
                    seconds[f"t/{name}.yaml", step] = 0.1 if chance.randrange(25) == 0 else chance.uniform(0.008, 0.026)
        work = sum(seconds.values())
        results = [{"file": file, "id": step, "outcome": "passed", "seconds": time} for (file, step), time in seconds.items()]
        report = {"format": "garland-report/1", "run": {"seconds": work, "sumOfStepSeconds": work}, "results": results}
        (pathlib.Path(folder) / "r.json").write_text(json.dumps(report))
        print(f"{len(seconds)} steps, {work:.1f} s, {work / len(seconds) * 1000:.1f} ms each")
        print("| shards | an equal part | heaviest, without `--from` | heaviest, with `--from` | steps that run again, without | with |")
        print("|---:|---:|---:|---:|---:|---:|")
        for count in COUNTS:
            cells = [str(count), f"{work / count:.2f} s"]
            again = []
            for source in (None, "r.json"):
                loads = [sum(seconds[step["file"], step["id"]] for step in shard["steps"]) for shard in shards(folder, count, source)]
                runs = sum(len(shard["steps"]) for shard in shards(folder, count, source))
                cells.append(f"{max(loads) * count / work:.2f} ×")
                again.append(str(runs - len(seconds)))
            print("| " + " | ".join(cells + again) + " |")


main()
