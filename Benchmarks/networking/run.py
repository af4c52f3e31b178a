#!/usr/bin/env python3
"""CPU time per request of GarlandNetworking beside a bare C program on the same libcurl.

Each pair runs the C program and then a layer of the library against the same nginx; what counts is the ratio within a pair. Prints the median
of the ratios and the 95 % interval of that median (bootstrap), and writes all of it as JSON.

usage: run.py BARE BENCHMARK [--pairs 15] [--requests 20000] [--json FILE]
"""

import argparse
import json
import os
import platform
import random
import shutil
import signal
import socket
import statistics
import subprocess
import tempfile
import time

CONTENT = '{"id":1,"name":"garland","ok":true,"tags":["a","b"],"text":"' + "x" * 138 + '"}'
LAYERS = ["engine", "session", "session-on-engine"]


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def start_nginx(folder):
    plain, secure = free_ports(2)
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj",
         "/CN=localhost", "-keyout", f"{folder}/key.pem", "-out", f"{folder}/cert.pem"], check=True, capture_output=True)
    temporary = "".join(f"{name}_temp_path {folder}/{name};" for name in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"])
    with open(f"{folder}/nginx.conf", "w", encoding="utf-8") as file:
        file.write(f"""
            daemon off; worker_processes 1; pid {folder}/pid; error_log {folder}/error.log;
            events {{ worker_connections 4096; }}
            http {{
              access_log off; keepalive_requests 1000000000; tcp_nodelay on; {temporary} default_type application/json;
              server {{
                listen 127.0.0.1:{plain} backlog=4096; listen 127.0.0.1:{secure} ssl http2 backlog=4096;
                ssl_certificate {folder}/cert.pem; ssl_certificate_key {folder}/key.pem;
                location / {{ return 200 '{CONTENT}'; }}
              }}
            }}""")
    nginx = shutil.which("nginx", path=os.environ.get("PATH", "") + ":/usr/sbin") or "nginx"
    process = subprocess.Popen([nginx, "-e", f"{folder}/error.log", "-c", f"{folder}/nginx.conf"])
    for _ in range(200):
        try:
            socket.create_connection(("127.0.0.1", plain)).close()
            return process, f"http://127.0.0.1:{plain}/", f"https://127.0.0.1:{secure}/"
        except OSError:
            time.sleep(0.05)
    process.terminate()
    raise SystemExit("nginx does not start: " + open(f"{folder}/error.log", encoding="utf-8").read())


def measure(command, requests):
    """Microseconds of CPU per request."""
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    fields = result.stdout.split()
    if result.returncode or len(fields) != 3 or fields[2] != "0" or int(fields[1]) != requests * len(CONTENT):
        raise SystemExit(f"{' '.join(command)}: {result.stdout}{result.stderr}")
    return int(fields[0]) / requests


def interval(values):
    generator = random.Random(1)
    medians = sorted(statistics.median(generator.choices(values, k=len(values))) for _ in range(4000))
    return medians[int(len(medians) * 0.025)], medians[int(len(medians) * 0.975) - 1]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bare")
    parser.add_argument("benchmark")
    parser.add_argument("--pairs", type=int, default=15)
    parser.add_argument("--requests", type=int, default=20000)
    parser.add_argument("--json")
    options = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        nginx, plain, secure = start_nginx(folder)
        try:
            print(f"{'':46} {'C':>9} {'library':>9}   ratio (95 % interval)")
            for name, url, concurrency in [("HTTP/1.1, 1 at once", plain, 1), ("HTTP/1.1, 64 at once", plain, 64),
                                           ("HTTP/2 over TLS, 64 at once", secure, 64)]:
                # One at once takes a round trip each; fewer are enough.
                requests = options.requests // 4 if concurrency == 1 else options.requests
                for layer in LAYERS:
                    pairs = []
                    for _ in range(options.pairs):
                        bare = measure([options.bare, url, str(requests), str(concurrency)], requests)
                        pairs.append((bare, measure([options.benchmark, layer, url, str(requests), str(concurrency)], requests)))
                    ratios = [ours / bare for bare, ours in pairs]
                    low, high = interval(ratios)
                    bare, ours = (statistics.median(column) for column in zip(*pairs))
                    label = f"{name}, {layer}"
                    print(f"{label:46} {bare:6.1f} µs {ours:6.1f} µs   {statistics.median(ratios):.2f} ({low:.2f}–{high:.2f})", flush=True)
                    rows.append({"work": name, "layer": layer, "bare": bare, "library": ours, "ratio": statistics.median(ratios),
                                 "interval": [low, high], "pairs": pairs})
        finally:
            nginx.send_signal(signal.SIGTERM)
            nginx.wait()
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({"machine": platform.platform(), "processors": os.cpu_count(), "rows": rows}, file, indent=1)


if __name__ == "__main__":
    main()
