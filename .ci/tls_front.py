#!/usr/bin/env python3
"""A server over TLS in front of another, which asks clients for a certificate and passes on what they show (RFC 9440): `tls_front.py http://127.0.0.1:PORT`
prints its own URL and serves until it is killed. It is the one that `examples/oauth/mtls.yaml` is run against."""

import base64
import pathlib
import socket
import ssl
import sys
import threading
import urllib.parse

TOP = pathlib.Path(__file__).resolve().parent.parent


def serve(plain, context, upstream):
    """One request, and the connection ends."""
    try:
        with context.wrap_socket(plain, server_side=True) as connection:
            certificate = connection.getpeercert(binary_form=True)
            stream = connection.makefile("rb")
            head, length = [], 0
            while (line := stream.readline()) not in (b"\r\n", b""):
                name = line.partition(b":")[0].lower()
                if name == b"content-length":
                    length = int(line.partition(b":")[2])
                # A `Client-Cert` field that the client itself sent is not passed on.
                if name not in (b"client-cert", b"connection"):
                    head.append(line)
            if certificate:
                head.append(b"Client-Cert: :" + base64.b64encode(certificate) + b":\r\n")
            head.append(b"Connection: close\r\n\r\n")
            with socket.create_connection(upstream) as behind:
                behind.sendall(b"".join(head) + stream.read(length))
                while data := behind.recv(65536):
                    connection.sendall(data)
    except (OSError, ssl.SSLError, ValueError):
        plain.close()


def main():
    upstream = urllib.parse.urlsplit(sys.argv[1])
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(TOP / "Tests/Conformance/services/server.pem", TOP / "Tests/Conformance/services/server.key")
    context.verify_mode = ssl.CERT_OPTIONAL
    context.load_verify_locations(TOP / "examples/oauth/tls/client.pem")
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(64)
    print(f"https://127.0.0.1:{listener.getsockname()[1]}", flush=True)
    while True:
        plain, _ = listener.accept()
        arguments = (plain, context, (upstream.hostname, upstream.port))
        threading.Thread(target=serve, args=arguments, daemon=True).start()


if __name__ == "__main__":
    main()
