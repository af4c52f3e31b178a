#!/usr/bin/env python3
"""Garland side by side with the least that libcurl can do, with curl, and with Hurl where it is installed.

    Benchmarks/bench.py [--quick] [--rows get,chain] [--pairs N] [--garland .build/release/garland] [--hurl PATH]

Every round runs each of a row's commands once; what counts is the ratio of two runs of the same round. See Benchmarks/README.md.
"""
import argparse
import dataclasses
import datetime
import json
import os
import pathlib
import platform
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from harness import chart, intervals, measure, rows as all_rows, servers, text  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
REPOSITORY = HERE.parent


@dataclasses.dataclass
class Context:
    folder: pathlib.Path
    build: pathlib.Path
    garland: pathlib.Path
    hurl: str | None
    servers: object
    pairs: int


def first_line(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True).stdout.split("\n")[0].strip()
    except OSError:
        return ""


def figures(row, samples):
    """The results of a row, from its samples: those of each contender and of each target."""
    contenders = {}
    for name, list_ in samples.items():
        if list_:
            contenders[name] = {
                "wall": round(intervals.median([s.wall for s in list_]), 6), "cpu": round(intervals.median([s.cpu for s in list_]), 6),
                "cpu_per_request_us": round(intervals.median([s.cpu for s in list_]) / row.requests * 1e6, 2),
                "peak_mib": round(max(s.peak for s in list_), 1), "runs": len(list_)}

    def ratio(what, name, base):
        pairs = [(getattr(a, what), getattr(b, what)) for a, b in zip(samples[name], samples[base])]
        pairs = [(a, b) for a, b in pairs if a > 0 and b > 0]
        if not pairs:
            return None
        middle, low, high = intervals.hodges_lehmann([a / b for a, b in pairs])
        return {"name": name, "what": what, "base": base, "ratio": round(middle, 3), "low": round(low, 3), "high": round(high, 3),
                "pairs": len(pairs)}

    ratios = [ratio(what, name, row.base) for name in samples if name != row.base and row.base in samples for what in ("wall", "cpu")]
    targets = []
    for target in row.targets:
        if target.base:
            found = ratio(target.what, target.name, target.base)
            verdict = "missed" if found["low"] > target.limit else "met" if found["ratio"] <= target.limit else "open"
            targets.append({**found, "limit": target.limit, "verdict": verdict})
        else:
            values = [getattr(s, target.what) for s in samples["garland"]]
            middle, low, high = intervals.hodges_lehmann(values)
            if target.what == "peak":
                middle = high = max(values)
            verdict = "missed" if low > target.limit else "met" if middle <= target.limit else "open"
            targets.append({"name": "garland", "what": target.what, "value": round(middle, 4), "low": round(low, 4), "high": round(high, 4),
                            "limit": target.limit, "pairs": len(values), "verdict": verdict})
    return {"id": row.id, "title": row.title, "requests": row.requests, "contenders": contenders, "targets": targets,
            "ratios": [r for r in ratios if r]}


def json_row(context):
    """The JSON parser by itself, in one process, as `make bench` has built it; nothing without that."""
    program = REPOSITORY / ".build/bench-json/release/JSONBenchmark"
    if not program.exists():
        return None
    samples = []
    for _ in range(max(context.pairs, 5)):
        measure.settle()
        result = subprocess.run([str(program)], capture_output=True, text=True)
        if result.returncode != 0:
            raise measure.Failure(f"JSONBenchmark: {result.stderr}")
        samples.append(json.loads(result.stdout))
    targets = []
    for what in ("parse_and_find", "find_only"):
        values = [s[what] for s in samples]
        middle, low, high = intervals.hodges_lehmann(values)
        limit = 150
        targets.append({"name": "garland", "what": what, "value": round(middle, 1), "low": round(low, 1), "high": round(high, 1), "limit": limit,
                        "pairs": len(values), "verdict": "missed" if high < limit else "met" if middle >= limit else "open"})
    return {"id": "json", "title": "JSON: read 3 MB and find one path, MB/s", "requests": 1, "contenders": {}, "targets": targets, "ratios": []}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="5 pairs, transfers of 256 MiB: no verdict, a look")
    parser.add_argument("--pairs", type=int, help="rounds of each row; default 15")
    parser.add_argument("--rows", default="", help="these rows only, with commas")
    parser.add_argument("--garland", default=str(REPOSITORY / ".build/release/garland"))
    parser.add_argument("--hurl", default=shutil.which("hurl") or "", help="where Hurl is; default: as the PATH says")
    parser.add_argument("--folder", default=str(REPOSITORY / ".build/bench"), help="for servers, documents and what is built")
    parser.add_argument("--json", help="where to write the results; default Benchmarks/results/bench.json, with all rows only")
    parser.add_argument("--svg", help="where to draw them; default Benchmarks/results/bench.svg, with all rows only")
    parser.add_argument("--realtime", action="store_true", help="before all else that the machine does (SCHED_FIFO); needs root")
    parser.add_argument("--list", action="store_true", help="list the rows")
    options = parser.parse_args()
    if options.realtime:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(10))
        measure.waits_for_quiet = False
    garland = pathlib.Path(options.garland).resolve()
    if not garland.exists():
        sys.exit(f"{garland} is missing: make build")
    folder = pathlib.Path(options.folder).resolve()
    build = folder / "build"
    build.mkdir(parents=True, exist_ok=True)
    measure.program(build, "limit", HERE / "programs/limit.c", "-lcurl", "-lpthread")
    measure.program(build, "measure", HERE / "programs/measure.c")
    measure.program(build, "sink", HERE / "programs/sink.c", "-lpthread")
    (folder / "in").mkdir(exist_ok=True)
    pairs = options.pairs or (5 if options.quick else 15)
    running = servers.Servers(folder, (256 if options.quick else 1024) << 20)
    try:
        context = Context(folder, build, garland, options.hurl or None, running, pairs)
        chosen = [name for name in options.rows.split(",") if name]
        runner = measure.Runner(build, running, folder / "run")
        results = []
        for row in all_rows.rows(context):
            if options.list:
                print(f"{row.id:10} {row.title}")
                continue
            if chosen and row.id not in chosen:
                continue

            def say(number, count):
                if sys.stderr.isatty():
                    print(f"\r{row.id}: {number}/{count} ", end="\r", file=sys.stderr, flush=True)

            samples = runner.rounds(row.contenders, row.pairs or pairs, say)
            results.append(figures(row, samples))
            print(text.row(results[-1]), flush=True)
        if not options.list and (not chosen or "json" in chosen):
            found = json_row(context)
            if found:
                results.append(found)
                print(text.row(found), flush=True)
    except measure.Failure as failure:
        sys.exit(f"error: {failure}")
    finally:
        running.stop()
    if options.list:
        return
    report = {
        "date": datetime.date.today().isoformat(), "pairs": pairs, "quick": options.quick,
        "machine": {"cpu": processor(), "cores": os.cpu_count(), "kernel": platform.release()},
        "versions": {
            "garland": first_line(str(garland), "--version"), "curl": first_line("curl", "--version"), "nginx": nginx_version(running.nginx),
            "hurl": first_line(options.hurl, "--version") if options.hurl else None},
        "binary_bytes": garland.stat().st_size, "rows": results}
    all_of_them = not chosen
    json_path = options.json or (HERE / "results/bench.json" if all_of_them and not options.quick else None)
    svg_path = options.svg or (HERE / "results/bench.svg" if all_of_them and not options.quick else None)
    if json_path:
        pathlib.Path(json_path).write_text(json.dumps(report, indent=1) + "\n")
    if svg_path:
        pathlib.Path(svg_path).write_text(chart.svg(report))
    print(f"garland: {report['binary_bytes'] / 1e6:.1f} MB")
    if any(target["verdict"] == "missed" for row in results for target in row["targets"]):
        print("A figure was missed.")


def processor():
    for line in open("/proc/cpuinfo"):
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def nginx_version(path):
    return subprocess.run([path, "-v"], capture_output=True, text=True).stderr.strip()


if __name__ == "__main__":
    main()
