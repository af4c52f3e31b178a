#!/usr/bin/env python3
"""HTTP/1.1 server on loopback that holds every request a while, then answers JSON.

delay.py PORT [DELAY_MS]      GET /stats (not held) -> counters.  Keep-alive; GET only.
"""
import asyncio, json, resource, signal, sys

PORT = int(sys.argv[1]) if len(sys.argv) > 1 else 18481
DELAY = float(sys.argv[2]) / 1000 if len(sys.argv) > 2 else 0.050
S = {"requests": 0, "connections": 0, "open": 0, "peak_in_flight": 0, "in_flight": 0}


def reply(body: bytes) -> bytes:
    return (b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: "
            + str(len(body)).encode() + b"\r\n\r\n" + body)


OK = reply(b'{"id":1,"name":"garland","ok":true,"held_ms":%d}' % int(DELAY * 1000))


class P(asyncio.Protocol):
    def connection_made(self, t):
        self.t, self.buf = t, b""
        S["connections"] += 1
        S["open"] += 1

    def connection_lost(self, exc):
        S["open"] -= 1

    def data_received(self, data):
        self.buf += data
        while True:
            head, sep, rest = self.buf.partition(b"\r\n\r\n")
            if not sep:
                return
            self.buf = rest
            if head.startswith(b"GET /stats"):
                self.t.write(reply(json.dumps(S).encode()))
                continue
            S["requests"] += 1
            S["in_flight"] += 1
            if S["in_flight"] > S["peak_in_flight"]:
                S["peak_in_flight"] = S["in_flight"]
            asyncio.get_running_loop().call_later(DELAY, self.answer)

    def answer(self):
        S["in_flight"] -= 1
        if not self.t.is_closing():
            self.t.write(OK)


async def main():
    loop = asyncio.get_running_loop()
    srv = await loop.create_server(P, "127.0.0.1", PORT, backlog=2048)
    stop = asyncio.Event()
    for s in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(s, stop.set)
    await stop.wait()
    srv.close()


soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 20000), hard))
asyncio.run(main())
