#!/usr/bin/env python3
"""Reads streams of 1,000,000 events, lines and parts with one step each, and says how fast and with how much memory.

    Benchmarks/streams.py [path/to/garland] [--items 1000000] [--rounds 5]      default: .build/release/garland

A server on loopback sends prepared bytes as fast as they are taken. Each row is read once with a tenth of the items and then
in rounds with all of them: the peak memory of both has to be the same. What counts is the median of the wall time.
"""
import argparse
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

TYPES = {"events": "text/event-stream", "lines": "application/jsonl", "parts": "multipart/x-mixed-replace; boundary=b"}
# What a step does with each item besides counting it.
ROWS = {
    "events": ("events", ""),
    "events, each": ("events", ", each: { json: { $.number: { gte: 1 } } }"),
    "events, until": ("events", ", until: \"${event.json.number == 0}\""),
    "lines": ("lines", ""),
    "lines, each": ("lines", ", each: { json: { $.number: { gte: 1 } } }"),
    "parts": ("parts", ""),
    "parts, each": ("parts", ", each: { type: application/json, json: { $.number: { gte: 1 } } }"),
}
# Kinds whose rows have to reach this many items a second.
WANTED = {"events": 300_000, "lines": 300_000}
BLOCK = 1_000


def block(kind):
    """The bytes of 1,000 items."""
    items = [f'{{"number": {n}, "last": {BLOCK}}}' for n in range(1, BLOCK + 1)]
    if kind == "events":
        return "".join(f"id: {n}\ndata: {item}\n\n" for n, item in enumerate(items)).encode()
    if kind == "lines":
        return "".join(f"{item}\n" for item in items).encode()
    return "".join(f"--b\r\nContent-Type: application/json\r\nContent-Length: {len(item)}\r\n\r\n{item}\r\n" for item in items).encode()


def serve(listener):
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=answer, args=(connection,), daemon=True).start()


def answer(connection):
    with connection:
        head = b""
        while b"\r\n\r\n" not in head:
            piece = connection.recv(65536)
            if not piece:
                return
            head += piece
        kind, count = head.split()[1].decode().strip("/").split("/")
        data = block(kind) * 10
        try:
            connection.sendall(f"HTTP/1.1 200 OK\r\nContent-Type: {TYPES[kind]}\r\nConnection: close\r\n\r\n".encode())
            for _ in range(int(count) // (10 * BLOCK)):
                connection.sendall(data)
            if kind == "parts":
                connection.sendall(b"--b--\r\n")
        except OSError:
            pass


def measure(command):
    started = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - started
    if os.waitstatus_to_exitcode(status) != 0:
        sys.exit(f"{' '.join(command)} failed:\n{output.decode()}")
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("garland", nargs="?", default=".build/release/garland")
    parser.add_argument("--items", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    listener = socket.create_server(("127.0.0.1", 0))
    threading.Thread(target=serve, args=(listener,), daemon=True).start()
    base = f"http://127.0.0.1:{listener.getsockname()[1]}"
    missed = []
    print(f"{'row':16} {'items/s':>10} {'CPU µs/item':>12} {'MiB, a tenth':>13} {'MiB, all':>9}")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "stream.yaml")

        def command(kind, rest, count):
            stream = f"{kind}: {{ count: {count}, within: 10m{rest} }}, expect: {{ {kind}: {{ length: {count} }} }}"
            with open(path, "w") as file:
                file.write(f"garland: 1\nsteps:\n  step: {{ get: '{base}/{kind}/{count}', {stream} }}\n")
            return [options.garland, "run", path]

        for name, (kind, rest) in ROWS.items():
            _, _, small = measure(command(kind, rest, options.items // 10))
            runs = [measure(command(kind, rest, options.items)) for _ in range(options.rounds)]
            speed = options.items / statistics.median(run[0] for run in runs)
            cpu = statistics.median(run[1] for run in runs) / options.items * 1e6
            peak = max(run[2] for run in runs)
            print(f"{name:16} {speed:10,.0f} {cpu:12.2f} {small:13.1f} {peak:9.1f}", flush=True)
            if speed < WANTED.get(kind, 0):
                missed.append(f"{name}: fewer than {WANTED[kind]:,} items a second")
            if peak > small + 4:
                missed.append(f"{name}: memory grows with the number of items")
    print("\n".join(missed))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
