"""The servers that the work is done against, all on loopback and on free ports."""
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import time
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent.parent
BODY = '{"id":1,"name":"garland","ok":true,"tags":["a","b"],"owner":{"login":"octo","id":42},"pad":"'


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for s in sockets:
        s.bind(("127.0.0.1", 0))
    ports = [s.getsockname()[1] for s in sockets]
    for s in sockets:
        s.close()
    return ports


class Servers:
    """nginx (JSON of 200 bytes, a chain of tokens, files, the same over HTTP/2), a server that holds each request 50 ms, and a sink."""

    def __init__(self, folder, big_bytes):
        self.folder = pathlib.Path(folder)
        self.processes = []
        self.nginx = shutil.which("nginx") or next((p for p in ("/usr/sbin/nginx", "/sbin/nginx") if os.path.exists(p)), None)
        if not self.nginx:
            sys.exit("nginx is missing: apt-get install nginx-light")
        for name in ("run", "www", "out"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        self.big = self.folder / "www" / "big.bin"
        if not self.big.exists() or self.big.stat().st_size != big_bytes:
            with open(self.big, "wb") as file:
                for _ in range(big_bytes >> 20):
                    file.write(os.urandom(1 << 20))
        self.certificate = self.folder / "run" / "ca.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "30", "-subj",
             "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(self.folder / "run" / "key.pem"), "-out",
             str(self.certificate)], check=True, capture_output=True)
        plain, tls, delay, sink = free_ports(4)
        self.origin, self.secure = f"http://127.0.0.1:{plain}", f"https://127.0.0.1:{tls}"
        self.delay, self.sink = f"http://127.0.0.1:{delay}", f"http://127.0.0.1:{sink}"
        text = (HERE / "servers" / "nginx.conf.in").read_text()
        body = BODY + "x" * (200 - len(BODY) - 2) + '"}'
        for name, value in {"ROOT": str(self.folder), "JSON": body, "PORT": str(plain), "TLS": str(tls),
                            "USER": "user root;" if os.geteuid() == 0 else ""}.items():
            text = text.replace(f"@{name}@", value)
        configuration = self.folder / "run" / "nginx.conf"
        configuration.write_text(text)
        self.start([self.nginx, "-e", str(self.folder / "run" / "error.log"), "-c", str(configuration)])
        self.start([sys.executable, str(HERE / "servers" / "delay.py"), str(delay), "50"])
        self.start([str(self.folder / "build" / "sink"), str(sink)])
        for url in (f"{self.origin}/json", f"{self.delay}/stats", f"{self.sink}/stats"):
            self.await_answer(url)

    def start(self, command):
        self.processes.append(subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))

    def await_answer(self, url):
        for _ in range(100):
            try:
                return urllib.request.urlopen(url, timeout=5).read()
            except OSError:
                time.sleep(0.1)
        sys.exit(f"no server at {url}")

    def requests(self, server):
        """How many requests a server has seen, that for this number left out."""
        if server == "nginx":
            lines = urllib.request.urlopen(f"{self.origin}/status", timeout=10).read().decode().split("\n")
            self.asked = getattr(self, "asked", 0) + 1
            return int(lines[2].split()[2]) - self.asked
        base = {"delay": self.delay, "sink": self.sink}[server]
        return json.loads(urllib.request.urlopen(f"{base}/stats", timeout=10).read())["requests"]

    def stop(self):
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            process.wait()
