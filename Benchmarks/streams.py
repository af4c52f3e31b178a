#!/usr/bin/env python3
"""Reads 1,000,000 events, lines, parts and WebSocket messages with one step each, and prints the speed and the memory.

    Benchmarks/streams.py [path/to/garland] [--items 1000000] [--rounds 5]      default: .build/release/garland

A server on loopback sends prepared bytes as fast as they are taken. Each row is read once with a tenth of the items and then
in rounds with all of them: the peak memory of both has to be the same. The result is the median of the wall time.
"Large messages" are of 64 KiB, and the server sends a thousandth of the items: unread messages need memory, too. The command
fails if a goal of `WANTED` is missed or memory grows.
"""
import argparse
import base64
import hashlib
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

TYPES = {"events": "text/event-stream", "lines": "application/jsonl", "parts": "multipart/x-mixed-replace; boundary=b"}
# The keys by which a step does more with each item than count it.
ROWS = {
    "events": ("events", ""),
    "events, each": ("events", ", each: { json: { $.number: { gte: 1 } } }"),
    "events, until": ("events", ", until: \"${event.json.number == 0}\""),
    "lines": ("lines", ""),
    "lines, each": ("lines", ", each: { json: { $.number: { gte: 1 } } }"),
    "parts": ("parts", ""),
    "parts, each": ("parts", ", each: { type: application/json, json: { $.number: { gte: 1 } } }"),
    "messages": ("messages", ""),
    "messages, each": ("messages", ", json: { $.number: { gte: 1 } }"),
    "messages, matching": ("messages", ", matching: \"${message.json.number > 0}\""),
    "large messages": ("large", ""),
}
# Kinds whose rows have to reach this many items a second.
WANTED = {"events": 300_000, "lines": 300_000, "parts": 100_000, "messages": 100_000, "large": 1_000}
BLOCK = 1_000
# A row has this share of the items.
SHARES = {"large": 1_000}
LARGE = b"x" * (64 << 10)


def items_of(kind):
    """The bytes of 1,000 items, each as it is sent; of large messages, only one."""
    if kind == "large":
        return [b"\x82\x7f" + len(LARGE).to_bytes(8, "big") + LARGE]
    bodies = [f'{{"number": {n}, "last": {BLOCK}}}' for n in range(1, BLOCK + 1)]
    if kind == "events":
        return [f"id: {n}\ndata: {body}\n\n".encode() for n, body in enumerate(bodies)]
    if kind == "lines":
        return [f"{body}\n".encode() for body in bodies]
    if kind == "messages":
        return [b"\x81" + bytes([len(body)]) + body.encode() for body in bodies]
    head = "--b\r\nContent-Type: application/json\r\nContent-Length: "
    return [f"{head}{len(body)}\r\n\r\n{body}\r\n".encode() for body in bodies]


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
        items = items_of(kind) * 10
        data = b"".join(items)
        times, rest = divmod(int(count), len(items))
        try:
            connection.sendall(opening(kind, head))
            for _ in range(times):
                connection.sendall(data)
            connection.sendall(b"".join(items[:rest]))
            if kind == "parts":
                connection.sendall(b"--b--\r\n")
            if kind not in TYPES:
                # The client closes the connection first.
                connection.recv(1024)
                connection.sendall(b"\x88\x02\x03\xe8")
        except OSError:
            pass


def opening(kind, head):
    """The head of the response."""
    if kind in TYPES:
        return f"HTTP/1.1 200 OK\r\nContent-Type: {TYPES[kind]}\r\nConnection: close\r\n\r\n".encode()
    key = next(line.split(b": ", 1)[1] for line in head.split(b"\r\n") if line.lower().startswith(b"sec-websocket-key"))
    accept = base64.b64encode(hashlib.sha1(key + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest())
    head = b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: "
    return head + accept + b"\r\n\r\n"


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
    print(f"{'row':18} {'items/s':>10} {'CPU µs/item':>12} {'MiB, a tenth':>13} {'MiB, all':>9}")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "stream.yaml")

        def command(kind, rest, count):
            url = f"{base}/{kind}/{count}"
            if kind in TYPES:
                step = f"get: '{url}', {kind}: {{ count: {count}, within: 10m{rest} }}, expect: {{ {kind}: {{ length: {count} }} }}"
            else:
                talk = f"[receive: {{ count: {count}, within: 10m{rest} }}]"
                step = f"websocket: '{url}', talk: {talk}, expect: {{ messages: {{ length: {count} }} }}"
            with open(path, "w") as file:
                file.write(f"garland: 1\nsteps:\n  step: {{ {step} }}\n")
            return [options.garland, "run", path]

        for name, (kind, rest) in ROWS.items():
            items = options.items // SHARES.get(kind, 1)
            _, _, small = measure(command(kind, rest, items // 10))
            runs = [measure(command(kind, rest, items)) for _ in range(options.rounds)]
            speed = items / statistics.median(run[0] for run in runs)
            cpu = statistics.median(run[1] for run in runs) / items * 1e6
            peak = max(run[2] for run in runs)
            print(f"{name:18} {speed:10,.0f} {cpu:12.2f} {small:13.1f} {peak:9.1f}", flush=True)
            if speed < WANTED.get(kind, 0):
                missed.append(f"{name}: fewer than {WANTED[kind]:,} items a second")
            if peak > small + 4:
                missed.append(f"{name}: memory grows with the number of items")
    print("\n".join(missed))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
