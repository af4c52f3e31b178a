#!/usr/bin/env python3
"""A server that speaks HTTP/2 over TLS and ends its connections while requests wait for responses.

usage: http2_server.py ENDING ANSWERS [WAITING]

It prints its own URL and serves until it is killed. ENDING is the way in which a connection ends:

close    The server closes the connection, without a GOAWAY frame.
goaway   A GOAWAY frame excludes all waiting requests. The client closes the connection.
head     The server sends the head of a response to each waiting request and then closes the connection.
reset    The server resets the streams of all waiting requests by an error of its own, and a GOAWAY frame includes them.

ANSWERS has a number for each connection, in the order of connecting, such as `1,0`: the number of requests that the server answers. After that, it
ends the connection as soon as WAITING requests (1 by default) have arrived on it completely. All later connections answer every request. The body of a
response is the size of the request's body.
"""

import pathlib
import socket
import ssl
import struct
import sys
import threading

CERTIFICATES = pathlib.Path(__file__).resolve().parent.parent / "Conformance/services"
# Types and flags of frames: RFC 9113, section 6.
DATA, HEADERS, RST_STREAM, SETTINGS, PING, GOAWAY, WINDOW_UPDATE = 0, 1, 3, 4, 6, 7, 8
INTERNAL_ERROR = 2
END_STREAM, ACK, END_HEADERS = 1, 1, 4
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
# `:status: 200` of the static table: RFC 7541, appendix A.
STATUS_200 = b"\x88"

ENDING = sys.argv[1]
ANSWERS = [int(number) for number in sys.argv[2].split(",")]
WAITING = int(sys.argv[3]) if len(sys.argv) > 3 else 1


def frame(kind, flags, stream, payload=b""):
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def read_frame(stream):
    """A frame of the client: type, flags, stream and payload; None at the end of the connection."""
    head = stream.read(9)
    if len(head) < 9:
        return None
    return head[3], head[4], int.from_bytes(head[5:], "big"), stream.read(int.from_bytes(head[:3], "big"))


def end(connection, answered, waiting):
    """Ends a connection and waits until the client closes it: closing a socket with unread bytes would reset the connection."""
    if ENDING == "goaway":
        connection.sendall(frame(GOAWAY, 0, 0, struct.pack(">II", answered, 0)))
    if ENDING == "reset":
        resets = b"".join(frame(RST_STREAM, 0, number, struct.pack(">I", INTERNAL_ERROR)) for number in waiting)
        connection.sendall(resets + frame(GOAWAY, 0, 0, struct.pack(">II", max(waiting), 0)))
    if ENDING == "head":
        connection.sendall(b"".join(frame(HEADERS, END_HEADERS, number, STATUS_200) for number in waiting))
    if ENDING in ("close", "head"):
        connection.setblocking(False)
        try:
            connection.unwrap()
        except ssl.SSLError:
            # The alert `close_notify` is sent. The client need not send one.
            pass
        connection.setblocking(True)
        connection.shutdown(socket.SHUT_WR)
    while connection.recv(65536):
        pass


def serve(plain, context, answers):
    """Serves one connection. `answers` is the number of requests to answer; None for all."""
    with context.wrap_socket(plain, server_side=True) as connection:
        stream = connection.makefile("rb")
        stream.read(len(PREFACE))
        connection.sendall(frame(SETTINGS, 0, 0))
        sizes, answered, waiting = {}, [], []
        while received := read_frame(stream):
            kind, flags, number, payload = received
            if kind in (SETTINGS, PING) and not flags & ACK:
                connection.sendall(frame(kind, ACK, 0, payload if kind == PING else b""))
            if kind == HEADERS:
                sizes[number] = 0
            if kind == DATA and payload:
                sizes[number] += len(payload)
                size = struct.pack(">I", len(payload))
                connection.sendall(frame(WINDOW_UPDATE, 0, 0, size) + frame(WINDOW_UPDATE, 0, number, size))
            if kind not in (HEADERS, DATA) or not flags & END_STREAM:
                continue
            if answers is None or len(answered) < answers:
                answered.append(number)
                body = str(sizes[number]).encode()
                connection.sendall(frame(HEADERS, END_HEADERS, number, STATUS_200) + frame(DATA, END_STREAM, number, body))
                continue
            waiting.append(number)
            if len(waiting) == WAITING:
                return end(connection, max(answered, default=0), waiting)


def main():
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATES / "server.pem", CERTIFICATES / "server.key")
    context.set_alpn_protocols(["h2"])
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(64)
    print(f"https://127.0.0.1:{listener.getsockname()[1]}", flush=True)
    left = list(ANSWERS)
    while True:
        plain, _ = listener.accept()
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        threading.Thread(target=serve, args=(plain, context, left.pop(0) if left else None), daemon=True).start()


if __name__ == "__main__":
    main()
