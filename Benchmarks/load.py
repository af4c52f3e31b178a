#!/usr/bin/env python3
"""Load beside hey and wrk: Benchmarks/load.py [--rounds 15] [--garland .build/release/garland] [--json FILE]

Every round runs each command once, in another order each time, against the same nginx; figures are ratios of two runs of the same round (Hodges-Lehmann
estimate with its 95 % interval).

- Closed: 64 users, 100,000 requests for 200 bytes of JSON. hey and wrk judge nothing; Garland judges status and one JSON field of each response.
- Open: 200, 2,000 and 10,000 requests a second for 5 s: how many were sent, and how many began late.
- Percentiles: a server that holds each request for 50 ms. wrk keeps ten connections busy, and Garland sends as many requests in a second as wrk did.
"""
import argparse
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from harness.intervals import hodges_lehmann, median
from harness.servers import BODY, HERE, free_ports
import shutil
import urllib.request

USERS, REQUESTS = 64, 100_000


class Servers:
    """nginx with one document of 200 bytes, and a server that holds each request for 50 ms."""

    def __init__(self, folder):
        plain, tls, delay = free_ports(3)
        self.origin, self.delay = f"http://127.0.0.1:{plain}", f"http://127.0.0.1:{delay}"
        body = BODY + "x" * (200 - len(BODY) - 2) + '"}'
        configuration = pathlib.Path(folder) / "nginx.conf"
        configuration.write_text(
            f"{'user root;' if os.geteuid() == 0 else ''} worker_processes 1; daemon off; pid {folder}/nginx.pid; error_log /dev/null;\n"
            "events { worker_connections 4096; }\n"
            f"http {{ access_log off; keepalive_requests 10000000; server {{ listen 127.0.0.1:{plain} backlog=4096;\n"
            f"location /json {{ default_type application/json; return 200 '{body}'; }} }} }}\n")
        nginx = shutil.which("nginx") or "/usr/sbin/nginx"
        self.processes = [
            subprocess.Popen([nginx, "-e", "/dev/null", "-c", str(configuration)], stderr=subprocess.DEVNULL),
            subprocess.Popen([sys.executable, str(HERE / "servers" / "delay.py"), str(delay), "50"], stdout=subprocess.DEVNULL)]
        for url in (f"{self.origin}/json", f"{self.delay}/stats"):
            for _ in range(100):
                try:
                    urllib.request.urlopen(url, timeout=5).read()
                    break
                except OSError:
                    time.sleep(0.1)

    def stop(self):
        for process in self.processes:
            process.terminate()
            process.wait()


def run(command):
    """Standard output, seconds, seconds of CPU, and MiB of memory at most."""
    began = time.monotonic()
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        wall = time.monotonic() - began
        output.seek(0)
        text = output.read().decode()
    if process.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{text}")
    return text, wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def document(folder, name, url):
    path = pathlib.Path(folder) / f"{name}.yaml"
    check = ", expect: { status: 200, json: { $.ok: true } }" if name == "json" else ""
    path.write_text(f"garland: 1\nsteps:\n  a: {{ get: '{url}'{check} }}\n")
    return str(path)


def garland(program, folder, path, *options):
    report = f"{folder}/report.json"
    _, wall, cpu, memory = run([program, "run", path, "--quiet", "--report", f"json={report}", *options])
    load = json.loads(pathlib.Path(report).read_text())["run"]["load"]
    return load, wall, cpu, memory


def closed(program, folder, servers, rounds):
    url = f"{servers.origin}/json"
    path = document(folder, "json", url)
    rows = {"garland": [], "hey": [], "wrk": []}

    def one(name):
        if name == "garland":
            load, _, cpu, memory = garland(program, folder, path, "--users", str(USERS), "--repeat", str(REQUESTS))
            assert load["ended"] == REQUESTS and load["failed"] == 0, load
            return load["perSecond"], cpu / REQUESTS, memory
        if name == "hey":
            text, _, cpu, memory = run(["hey", "-n", str(REQUESTS), "-c", str(USERS), url])
            count = int(re.search(r"\[200\]\s+(\d+)", text)[1])
            return float(re.search(r"Requests/sec:\s+([\d.]+)", text)[1]), cpu / count, memory
        text, _, cpu, memory = run(["wrk", "-t", "1", "-c", str(USERS), "-d", "2s", url])
        return float(re.search(r"Requests/sec:\s+([\d.]+)", text)[1]), cpu / int(re.search(r"(\d+) requests in", text)[1]), memory

    for number in range(rounds):
        names = list(rows)
        random.shuffle(names)
        for name in names:
            rows[name].append(one(name))
        print(f"closed {number + 1}/{rounds}: " + ", ".join(f"{n} {rows[n][-1][0]:,.0f}/s {rows[n][-1][1] * 1e6:.1f} us" for n in rows), flush=True)
    result = {}
    for name, values in rows.items():
        rates, cpus, memories = zip(*values)
        result[name] = {"perSecond": median(rates), "cpuMicroseconds": median(cpus) * 1e6, "peakMiB": max(memories)}
        if name != "garland":
            for what, place in (("rate", 0), ("cpu", 1)):
                ratios = [mine[place] / other[place] for mine, other in zip(rows["garland"], values)]
                result[name][f"garland {what} ratio"] = hodges_lehmann(ratios)
    return result


def opened(program, folder, servers, rounds):
    path = document(folder, "json", f"{servers.origin}/json")
    result = {}
    for rate in (200, 2_000, 10_000):
        loads = []
        for _ in range(max(3, rounds // 5)):
            load, _, cpu, _ = garland(program, folder, path, "--rate", f"{rate}/s", "--duration", "5s")
            step = load["steps"][0]
            loads.append({
                "begun": load["begun"] / (rate * 5), "perSecond": load["perSecond"] / rate, "late": load["late"], "cpuMicroseconds": cpu / load["begun"] * 1e6,
                "p50": step["latency"]["p50"], "p99": step["latency"]["p99"], "serviceP50": step["service"]["p50"]})
        result[rate] = {name: median([load[name] for load in loads]) for name in loads[0]}
        print(f"open {rate}/s: {result[rate]}", flush=True)
    return result


UNITS = {"us": 1e-6, "ms": 1e-3, "s": 1.0}


def percentiles(program, folder, servers, rounds):
    path = document(folder, "delay", f"{servers.delay}/")
    names = {"50%": "p50", "90%": "p90", "99%": "p99"}
    ratios = {name: [] for name in names.values()}
    values = {name: ([], []) for name in names.values()}
    for _ in range(rounds):
        text, _, _, _ = run(["wrk", "-t", "1", "-c", "10", "-d", "3s", "--latency", f"{servers.delay}/"])
        rate = float(re.search(r"Requests/sec:\s+([\d.]+)", text)[1])
        load, _, _, _ = garland(program, folder, path, "--rate", f"{rate:.2f}/s", "--duration", "3s")
        for shown, name in names.items():
            amount, unit = re.search(rf"{shown}\s+([\d.]+)(us|ms|s)\b", text).groups()
            other, own = float(amount) * UNITS[unit], load["steps"][0]["latency"][name]
            ratios[name].append(own / other)
            values[name][0].append(own)
            values[name][1].append(other)
    result = {
        name: {"garland": median(own), "wrk": median(other), "ratio": hodges_lehmann(ratios[name])} for name, (own, other) in values.items()}
    print(f"percentiles: {result}", flush=True)
    return result


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--garland", default=".build/release/garland")
    parser.add_argument("--json")
    arguments = parser.parse_args()
    program = str(pathlib.Path(arguments.garland).resolve())
    with tempfile.TemporaryDirectory() as folder:
        servers = Servers(folder)
        try:
            found = {
                "closed": closed(program, folder, servers, arguments.rounds), "open": opened(program, folder, servers, arguments.rounds),
                "percentiles": percentiles(program, folder, servers, arguments.rounds)}
        finally:
            servers.stop()
    print(json.dumps(found["closed"], indent=1))
    if arguments.json:
        pathlib.Path(arguments.json).write_text(json.dumps(found, indent=1) + "\n")


main()
