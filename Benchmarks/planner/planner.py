#!/usr/bin/env python3
"""Measures planning, scheduling and memory at 100,000 steps.

    swift build -c release --product garland
    swift build -c release --product PlannerBenchmark
    Benchmarks/planner/planner.py [plan] [cleanups] [simulate] [real] [memory]     default: all of them
    Benchmarks/planner/planner.py --bin DIR …                                      default: .build/release

Figures that are compared are measured in the same run, and rounds are interleaved, since a machine's speed drifts. Results are Markdown tables.
"""
import json
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time

STEPS = 100_000
ROUNDS = 3


def measured(command, **options):
    """Wall seconds, CPU seconds, peak memory in MiB, and the output of a command that must succeed."""
    started = time.perf_counter()
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT, **options)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        text = output.read().decode()
    if process.returncode != 0:
        sys.exit(f"{' '.join(command)} ended with {process.returncode}\n{text[-2000:]}")
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, text


def table(head, rows):
    print("| " + " | ".join(head) + " |")
    print("|" + " --- |" * len(head))
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print(flush=True)


def memory_a_step(folder, place, *form):
    """The peak memory of `garland check` for a document of that form, less that for one step, in bytes a step."""
    peaks = []
    for arguments in (form, ("chain", "1")):
        path = os.path.join(place, "document.yaml")
        # Not through this process: one that is started from a large one is charged with that one's memory.
        with open(path, "w") as file:
            subprocess.run([os.path.join(folder, "PlannerBenchmark"), "document", *arguments], stdout=file, check=True)
        peaks.append(statistics.median(measured([os.path.join(folder, "garland"), "check", path])[2] for _ in range(3)))
    return (peaks[0] - peaks[1]) * (1 << 20) / STEPS


def plan(folder, variants=(("chain", f"{STEPS}"), ("star", f"{STEPS}"), ("lattice", f"{STEPS}"), ("random", f"{STEPS}"))):
    """Times of the processor, which other work on the machine changes little: on an idle machine they are those of the clock."""
    results = {variant: [] for variant in variants}
    for _ in range(ROUNDS):
        for variant in variants:
            kind = "plan" if variant[0].isalpha() else "cleanups"
            results[variant].append(json.loads(measured([os.path.join(folder, "PlannerBenchmark"), kind, *variant])[3]))
    rows = []
    with tempfile.TemporaryDirectory() as place:
        for variant in variants:
            def median(key):
                return statistics.median(result[key + "_cpu_ms"] for result in results[variant])

            ratio = statistics.median(result["plan_cpu_ms"] / result["sort_ms"] for result in results[variant])
            first = results[variant][0]
            total = median("decode") + median("plan") + median("check")
            wall = statistics.median(result["decode_ms"] + result["plan_ms"] + result["check_ms"] for result in results[variant])
            rows.append([
                first["name"], f"{first['steps']:,}", f"{first['references']:,}", f"{first['edges']:,}", f"{median('decode'):.0f} ms",
                f"{median('plan'):.0f} ms", f"{median('check'):.0f} ms", f"{total / 1000:.2f} s", f"{wall / 1000:.2f} s", f"{ratio:.0f}",
                f"{memory_a_step(folder, place, *variant):,.0f} B" if first["steps"] == STEPS else ""])
    table(
        ["graph", "steps", "references", "edges", "parse and check", "plan", "check of the plan", "all", "by the clock", "plan / plain sort",
         "memory a step"], rows)


def cleanups(folder):
    plan(folder, [("10000", "1000"), ("100000", "100"), ("100000", "1000"), ("100000", "10000"), ("100000", "30000"),
                  ("10000", "1000", "chain"), ("100000", "1000", "chain"), ("100000", "10000", "chain")])


def simulate(folder):
    result = json.loads(measured([os.path.join(folder, "PlannerBenchmark"), "simulate", "200"])[3])
    names = {
        "known": "longest path first, durations known", "unknown": "longest path first, all weigh one", "file": "file order",
        "shuffled": "random order"}
    table(
        ["order", "median", "mean", "worst of 200"],
        [[names[key]] + [f"{result[key][part]:.3f}" for part in ("median", "mean", "worst")] for key in names])


def real(folder):
    """Runs some of the graphs against the sandbox, which answers each step after its delay."""
    garland = os.path.join(folder, "garland")
    rows = []
    with tempfile.TemporaryDirectory() as place:
        for seed in (3, 6, 9, 10):
            path = os.path.join(place, f"{seed}.yaml")
            text = measured([os.path.join(folder, "PlannerBenchmark"), "delays", str(seed), "0.2"])[3]
            with open(path, "w") as file:
                file.write(text)
            slots, bound = text.splitlines()[1].split("'")[1].split()
            report = os.path.join(place, f"{seed}.json")
            command = [garland, "run", path, "--sandbox", "--quiet", "--concurrency", slots, "--per-origin", slots, "--report", "json=" + report]
            walls = []
            # The report of the first run tells the second how long each step takes.
            for _ in range(2):
                measured(command, cwd=place)
                with open(report) as file:
                    walls.append(json.load(file)["run"]["seconds"])
            rows.append([
                f"{seed}", f"{text.count('get:')}", slots, f"{float(bound):.2f} s", f"{walls[0]:.2f} s ({walls[0] / float(bound):.3f})",
                f"{walls[1]:.2f} s ({walls[1] / float(bound):.3f})"])
    table(["graph", "steps", "slots", "lower bound", "first run", "second run, durations known"], rows)


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Nginx:
    """Serves one body of JSON."""

    def __init__(self, place, body):
        self.port = free_port()
        root = os.path.join(place, "root")
        os.mkdir(root)
        with open(os.path.join(root, "body.json"), "w") as file:
            file.write(body)
        configuration = os.path.join(place, "nginx.conf")
        with open(configuration, "w") as file:
            file.write(
                f"worker_processes 1; daemon off; pid {place}/pid; error_log stderr crit;\n"
                "events { worker_connections 512; }\n"
                f"http {{ access_log off; keepalive_requests 1000000; types {{ application/json json; }} client_body_temp_path {place}/t1;\n"
                f"proxy_temp_path {place}/t2; fastcgi_temp_path {place}/t3; uwsgi_temp_path {place}/t4; scgi_temp_path {place}/t5;\n"
                f"server {{ listen 127.0.0.1:{self.port}; root {root}; location / {{ try_files /body.json =404; }} }} }}\n")
        program = shutil.which("nginx") or "/usr/sbin/nginx"
        self.process = subprocess.Popen([program, "-p", place, "-c", configuration], stderr=subprocess.DEVNULL)
        for _ in range(200):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.02)
        sys.exit("nginx does not start")

    def stop(self):
        self.process.terminate()
        self.process.wait()


def documents(base):
    """Names and lines of documents of 100,000 requests."""
    head = f"garland: 1\ndefaults: {{ base_url: '{base}' }}\nsteps:\n"

    def pairs(reference):
        yield head
        for i in range(STEPS // 2):
            yield f"  a{i}: {{ get: /{i}, extract: {{ id: '$.items[7].id' }} }}\n" if reference == "id" else f"  a{i}: {{ get: /{i} }}\n"
            yield f"  b{i}: {{ get: '/after/{i}', headers: {{ X-Seen: '${{a{i}.{reference}}}' }} }}\n"

    yield "steps, an extract each", pairs("id")
    yield "steps, a place in the JSON each", pairs("json.items[7].id")
    yield "steps, the whole text each", pairs("text | length")
    yield "one `for_each`", iter([head + f"  all: {{ for_each: '${{{STEPS} | range}}', get: '/${{item}}' }}\n"])


def memory(folder):
    garland = os.path.join(folder, "garland")
    item = {"id": 4711, "name": "x" * 60, "tags": ["one", "two"]}
    body = json.dumps({"items": [item] * (100_000 // len(json.dumps(item)))})
    rows = []
    with tempfile.TemporaryDirectory() as place:
        os.chmod(place, 0o755)
        server = Nginx(place, body)
        try:
            for number, (name, lines) in enumerate(documents(f"http://127.0.0.1:{server.port}")):
                path = os.path.join(place, f"{number}.yaml")
                with open(path, "w") as file:
                    file.writelines(lines)
                plan_peak = measured([garland, "check", path])[2]
                wall, cpu, peak, _ = measured([garland, "run", path, "--quiet", "--report", f"junit={place}/{number}.xml"])
                with open(f"{place}/{number}.xml") as file:
                    assert f'tests="{STEPS}" failures="0" errors="0" skipped="0"' in file.read(2000)
                rows.append([
                    name, f"{wall:.1f} s", f"{cpu * 1e6 / STEPS:.0f} µs", f"{plan_peak:.0f} MiB", f"{peak:.0f} MiB", f"{peak - plan_peak:.0f} MiB"])
        finally:
            server.stop()
    table([f"{STEPS:,} requests, bodies of {len(body) // 1000} KB", "time", "CPU a request", "peak of `check`", "peak of `run`", "beyond the plan"], rows)


def main():
    arguments = sys.argv[1:]
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../.build/release")
    if arguments[:1] == ["--bin"]:
        folder = os.path.abspath(arguments[1])
        arguments = arguments[2:]
    parts = {"plan": plan, "cleanups": cleanups, "simulate": simulate, "real": real, "memory": memory}
    for name in arguments or parts:
        print(f"## {name}\n")
        parts[name](folder)


if __name__ == "__main__":
    main()
