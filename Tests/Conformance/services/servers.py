"""The servers of the cases: the sandbox, and ways to it over TLS, a Unix socket and a proxy."""

import hashlib
import json
import os
import pathlib
import re
import shutil
import socket
import ssl
import subprocess
import tempfile
import threading
import urllib.parse
import urllib.request

import kerberos
import ntlm

HERE = pathlib.Path(__file__).resolve().parent


def pipe(source, target):
    """Carries bytes one way until the source ends."""
    try:
        while True:
            data = source.recv(65536)
            if not data:
                break
            target.sendall(data)
    except OSError:
        pass
    finally:
        for end in (source, target):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


def join(one, other):
    """Carries bytes both ways until both have ended."""
    back = threading.Thread(target=pipe, args=(other, one), daemon=True)
    back.start()
    pipe(one, other)
    back.join()
    one.close()
    other.close()


class Front:
    """A listener; each connection is served by a thread."""

    def __init__(self, listener, serve):
        self.listener, self.serve = listener, serve
        listener.listen(64)
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.guard, args=(connection,), daemon=True).start()

    def guard(self, connection):
        try:
            self.serve(connection)
        except (OSError, ssl.SSLError):
            connection.close()

    def close(self):
        self.listener.close()


def loopback():
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", 0))
    return listener


class Servers:
    """Starts everything; a context."""

    def __init__(self, binary, sandbox, removed):
        self.binary, self.sandbox, self.removed = binary, sandbox, removed
        self.process, self.fronts = None, []

    def __enter__(self):
        if not self.sandbox:
            environment = {name: value for name, value in os.environ.items() if name not in self.removed}
            self.process = subprocess.Popen(
                [self.binary, "sandbox", "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment)
            self.sandbox = self.process.stdout.readline().strip()
            if not self.sandbox.startswith("http://"):
                raise SystemExit(f"{self.binary} sandbox --port 0 did not print its URL")
        host, _, port = self.sandbox.removeprefix("http://").rstrip("/").partition(":")
        self.address = (host, int(port or "80"))
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="conformance-servers-"))
        self.secure = self.start_tls("server", None)
        self.mutual = self.start_tls("server", HERE / "ca.pem")
        self.expired = self.start_tls("expired", None)
        self.broken_http2 = self.start(loopback(), self.serve_broken_http2)
        self.old = self.start_tls("server", None, ssl.TLSVersion.TLSv1_2)
        self.proxy = self.start(loopback(), self.serve_proxy)
        self.digest = self.start(loopback(), self.serve_digest)
        self.ntlm = self.start(loopback(), ntlm.serve)
        self.realm = kerberos.Kerberos() if kerberos.is_installed() else None
        path = str(self.folder / "sandbox.sock")
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        listener.bind(path)
        self.unix_socket = path
        self.start(listener, self.serve_plain)
        # Bound, and never listening: nobody else gets the port, and connections to it are refused.
        self.closed = loopback()
        return self

    def __exit__(self, *_):
        for front in self.fronts:
            front.close()
        self.closed.close()
        if self.realm:
            self.realm.close()
        shutil.rmtree(self.folder, ignore_errors=True)
        if self.process:
            self.process.terminate()
            self.process.wait()

    def start(self, listener, serve):
        self.fronts.append(Front(listener, serve))
        return listener.getsockname()[1] if listener.family == socket.AF_INET else None

    def start_tls(self, name, clients, highest=ssl.TLSVersion.MAXIMUM_SUPPORTED):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(HERE / f"{name}.pem", HERE / f"{name}.key")
        context.maximum_version = highest
        if clients:
            # In later versions a client learns only after the handshake that its certificate is missed.
            context.maximum_version = ssl.TLSVersion.TLSv1_2
            context.verify_mode = ssl.CERT_REQUIRED
            context.load_verify_locations(clients)
        return self.start(loopback(), lambda connection: self.serve_plain(context.wrap_socket(connection, server_side=True)))

    def serve_broken_http2(self, connection):
        """Takes HTTP/2 where it is offered, and can't speak it; everybody else is served."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(HERE / "server.pem", HERE / "server.key")
        context.set_alpn_protocols(["h2", "http/1.1"])
        secured = context.wrap_socket(connection, server_side=True)
        if secured.selected_alpn_protocol() != "h2":
            return self.serve_plain(secured)
        secured.recv(65536)
        secured.sendall(b"HTTP/2 is not spoken here, whatever was said.\r\n")
        while secured.recv(65536):
            pass
        return secured.close()

    def serve_plain(self, connection):
        join(connection, socket.create_connection(self.address))

    def serve_proxy(self, connection):
        """A forward proxy for http, of one request a connection, that says so in a header field; and tunnels by CONNECT."""
        head = b""
        while b"\r\n\r\n" not in head:
            data = connection.recv(65536)
            if not data:
                return connection.close()
            head += data
        fields, _, rest = head.partition(b"\r\n\r\n")
        first, *others = fields.split(b"\r\n")
        method, target, version = first.split(b" ", 2)
        if method == b"CONNECT":
            host, _, port = target.decode().rpartition(":")
            upstream = socket.create_connection((host, int(port)))
            connection.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
            return join(connection, upstream)
        authority, _, path = target.decode().removeprefix("http://").partition("/")
        host, _, port = authority.partition(":")
        upstream = socket.create_connection((host, int(port or "80")))
        kept = [field for field in others if not field.lower().startswith((b"proxy-", b"connection:"))]
        upstream.sendall(
            b"\r\n".join([b" ".join([method, b"/" + path.encode(), version]), *kept, b"Via: 1.1 conformance", b"Connection: close"])
            + b"\r\n\r\n" + rest)
        return join(connection, upstream)

    def serve_digest(self, connection):
        """Wants digest authentication (RFC 7616, SHA-256) of alice with wonderland; one connection may have several requests."""
        stream = connection.makefile("rb")
        while True:
            first = stream.readline().decode().split(" ")
            if len(first) < 3:
                return connection.close()
            fields = {}
            while True:
                line = stream.readline().decode().strip()
                if not line:
                    break
                name, _, value = line.partition(":")
                fields[name.lower()] = value.strip()
            given = dict(re.findall(r'(\w+)="?([^",]+)"?', fields.get("authorization", "")))

            def digest(text):
                return hashlib.sha256(text.encode()).hexdigest()

            wanted = ":".join([
                digest("alice:conformance:wonderland"), given.get("nonce", ""), given.get("nc", ""), given.get("cnonce", ""), "auth",
                digest(f"{first[0]}:{first[1]}")])
            is_right = given.get("response") == digest(wanted)
            body = b'{"authenticated": true}' if is_right else b'{"authenticated": false}'
            challenge = "" if is_right else (
                'WWW-Authenticate: Digest realm="conformance", qop="auth", algorithm=SHA-256, nonce="c0ffee", opaque="0"\r\n')
            head = f"HTTP/1.1 {'200 OK' if is_right else '401 Unauthorized'}\r\n{challenge}Content-Type: application/json\r\n"
            connection.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)

    def has(self, need):
        """Whether what a case says that it needs is there."""
        return need == "kerberos" and self.realm is not None

    def environment(self):
        ticket = {"CONFORMANCE_NEGOTIATE": self.realm.url, **self.realm.environment()} if self.realm else {}
        return {
            **ticket,
            "GARLAND_SANDBOX": self.sandbox,
            "CONFORMANCE_PORT": str(self.address[1]),
            "CONFORMANCE_TLS": f"https://localhost:{self.secure}",
            "CONFORMANCE_TLS_PORT": str(self.secure),
            "CONFORMANCE_MUTUAL_TLS": f"https://localhost:{self.mutual}",
            "CONFORMANCE_EXPIRED": f"https://localhost:{self.expired}",
            "CONFORMANCE_BROKEN_HTTP2": f"https://localhost:{self.broken_http2}",
            "CONFORMANCE_OLD_TLS": f"https://localhost:{self.old}",
            "CONFORMANCE_PROXY": f"http://127.0.0.1:{self.proxy}",
            "CONFORMANCE_DIGEST": f"http://127.0.0.1:{self.digest}",
            "CONFORMANCE_NTLM": f"http://127.0.0.1:{self.ntlm}",
            "CONFORMANCE_SOCKET": self.unix_socket,
            "CONFORMANCE_CLOSED": f"http://127.0.0.1:{self.closed.getsockname()[1]}",
        }

    def tokens(self, text):
        """Tokens of the sandbox's OAuth provider, for documents that name them: they are good for one use."""
        if "CONFORMANCE_ACCESS_TOKEN" not in text and "CONFORMANCE_REFRESH_TOKEN" not in text:
            return {}
        form = urllib.parse.urlencode({"grant_type": "password", "client_id": "smoke", "username": "alice", "password": "wonderland"})
        request = urllib.request.Request(self.sandbox + "/oauth/token", form.encode())
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(request, timeout=10) as response:
            answer = json.load(response)
        return {"CONFORMANCE_ACCESS_TOKEN": answer["access_token"], "CONFORMANCE_REFRESH_TOKEN": answer["refresh_token"]}

    def placeholders(self):
        """The texts that differ from run to run, each with the name that replaces it in expected results."""
        realm = [(self.realm.url, "{{negotiate}}"), (self.realm.url.removeprefix("http://"), "{{negotiate authority}}")] if self.realm else []
        return realm + [
            (self.sandbox, "{{sandbox}}"), (self.sandbox.removeprefix("http://"), "{{sandbox authority}}"),
            (f"https://localhost:{self.secure}", "{{tls}}"), (f"localhost:{self.secure}", "{{tls authority}}"),
            (f"127.0.0.1:{self.secure}", "{{tls authority}}"),
            (f"https://localhost:{self.mutual}", "{{mutual tls}}"), (f"localhost:{self.mutual}", "{{mutual tls authority}}"),
            (f"https://localhost:{self.expired}", "{{expired}}"), (f"localhost:{self.expired}", "{{expired authority}}"),
            (f"https://localhost:{self.broken_http2}", "{{broken http2}}"), (f"localhost:{self.broken_http2}", "{{broken http2 authority}}"),
            (f"https://localhost:{self.old}", "{{old tls}}"), (f"localhost:{self.old}", "{{old tls authority}}"),
            (f"http://127.0.0.1:{self.proxy}", "{{proxy}}"), (f"127.0.0.1:{self.proxy}", "{{proxy authority}}"),
            (self.environment()["CONFORMANCE_DIGEST"], "{{digest}}"), (f"127.0.0.1:{self.digest}", "{{digest authority}}"),
            (self.environment()["CONFORMANCE_NTLM"], "{{ntlm}}"), (f"127.0.0.1:{self.ntlm}", "{{ntlm authority}}"),
            (self.environment()["CONFORMANCE_CLOSED"], "{{closed}}"),
            (self.environment()["CONFORMANCE_CLOSED"].removeprefix("http://"), "{{closed authority}}"),
            (self.unix_socket, "{{socket}}"), (f":{self.address[1]}", ":{{sandbox port}}"), (f":{self.secure}", ":{{tls port}}"),
        ]
