"""The rows: what is done, by whom, and what Garland must reach."""
import dataclasses

from . import documents
from .measure import Contender


@dataclasses.dataclass
class Target:
    """`what` is wall, cpu or peak. With `base`, the ratio of `name` to that contender; without, Garland's own figure in seconds or MiB."""
    what: str
    limit: float
    base: str | None = None
    name: str = "garland"


@dataclasses.dataclass
class Row:
    id: str
    title: str
    contenders: list
    targets: list
    # The contender that ratios without a target are given to.
    base: str = "limit"
    requests: int = 1
    pairs: int | None = None
    # An own way to measure, that returns {name: value} of figures and a verdict each.
    probe: object = None


def rows(context):
    c, f = context, context.folder / "in"
    origin, secure, delay = c.servers.origin, c.servers.secure, c.servers.delay
    limit, garland = c.build / "limit", c.garland
    everything = ["--concurrency", 64, "--per-origin", 64]
    hurl = [c.hurl, "--test", "--no-color"] if c.hurl else None

    def by(name, command, **rest):
        return Contender(name, command, rest.pop("folder", f), **rest)

    documents.start(f, origin)
    yield Row(
        "start", "start to end, 1 request, 1 assertion",
        [by("garland", [garland, "run", "start.yaml"], requests=1), by("limit", [limit, f"{origin}/json?i=%d"], requests=1),
         by("curl", ["curl", "-sf", "-o", "/dev/null", f"{origin}/json?i=1"], requests=1)]
        + ([by("hurl", [c.hurl, "--no-output", "start.hurl"], requests=1)] if c.hurl else []),
        [Target("wall", 1.2, "limit")], pairs=c.pairs * 2)

    documents.independent(f, "get", 10_000, origin)
    n = 10_000
    many = [limit, "-n", n, "-c", 64, "-s", '"id":1', f"{origin}/json?i=%d"]
    yield Row(
        "get", "10,000 GETs, status and one JSON field each",
        [by("garland", [garland, "run", *everything, "get.yaml"], requests=n), by("limit", many, requests=n),
         by("curl", ["curl", "-Z", "--parallel-max", 64, "-s", "-f", "-K", "get.curl"], requests=n)]
        + ([by("hurl, one file", [*hurl, "get.hurl"], requests=n, rounds=5),
            by("hurl, 100 files, 16 jobs", [*hurl, "--parallel", "--jobs", 16, "--glob", "get-parts/*.hurl"], requests=n, rounds=5)]
           if hurl else []),
        [Target("cpu", 1.6, "limit"), Target("wall", 1.7, "limit"), Target("peak", 40)], requests=n)

    documents.full(f, n, origin)
    secret = {"API_TOKEN": "s3cr3t-benchmark-token"}
    yield Row(
        "full", "10,000 steps, each two expectations, an extract and a secret; JUnit to disk",
        [by("garland", [garland, "run", *everything, "--report", "junit=full.xml", "full.yaml"], requests=n, environment=secret),
         by("limit", many, requests=n)], [], requests=n)

    documents.rows(f, n, origin)
    yield Row(
        "rows", "the same work as one step over 10,000 rows",
        [by("garland", [garland, "run", *everything, "--report", "junit=rows.xml", "rows.yaml"], requests=n, environment=secret),
         by("limit", many, requests=n)], [], requests=n)

    documents.chain(f, 1000, origin)
    yield Row(
        "chain", "chain of 1,000, each needs the token before it",
        [by("garland", [garland, "run", "chain.yaml"], requests=1000),
         by("limit", [limit, "-x", "-m", "epoll", "-n", 1000, f"{origin}/chain"], requests=1000)]
        + ([by("hurl", [*hurl, "chain.hurl"], requests=1000, rounds=5)] if hurl else []),
        [Target("cpu", 1.5, "limit")], requests=1000)

    documents.independent(f, "delay", 200, delay)
    yield Row(
        "delay", "200 requests of 50 ms, 64 at once",
        [by("garland", [garland, "run", *everything, "delay.yaml"], requests=200, server="delay"),
         by("limit", [limit, "-m", "epoll", "-n", 200, "-c", 64, "-s", '"id":1', f"{delay}/json?i=%d"], requests=200, server="delay"),
         by("curl", ["curl", "-Z", "--parallel-immediate", "--parallel-max", 64, "-s", "-f", "-K", "delay.curl"], requests=200, server="delay")]
        + ([by("hurl, 200 files, 64 jobs", [*hurl, "--parallel", "--jobs", 64, "--glob", "delay-parts/*.hurl"], requests=200, server="delay",
               rounds=5),
            by("hurl, one file", [*hurl, "delay.hurl"], requests=200, server="delay", rounds=1)] if hurl else []),
        [Target("wall", 1.05, "limit")], requests=200)

    target, big = c.folder / "out" / "down.bin", c.servers.big
    size = f"{big.stat().st_size >> 20:,} MiB"
    documents.transfers(f, f"{origin}/files", c.servers.sink, big, target)
    url = f"{origin}/files/big.bin"
    yield Row(
        "download", f"download of {size} to a file",
        [by(name, command, requests=1, output=target, same_as=big, rounds=rounds) for name, command, rounds in [
            ("garland", [garland, "run", "--allow-path", "/", "download.yaml"], None), ("curl", ["curl", "-sf", "-o", target, url], None),
            ("limit", [limit, "-o", target, url], None)] + ([("hurl", [c.hurl, "-o", target, "download.hurl"], 3)] if c.hurl else [])],
        [Target("wall", 1.1, "curl"), Target("peak", 25)], base="curl")
    yield Row(
        "upload", f"multipart upload of {size}",
        [by("garland", [garland, "run", "--allow-path", "/", "upload.yaml"], requests=1, server="sink"),
         by("curl", ["curl", "-sf", "-o", "/dev/null", "-F", f"file=@{big}", f"{c.servers.sink}/up"], requests=1, server="sink"),
         by("limit", [limit, "-u", big, f"{c.servers.sink}/up"], requests=1, server="sink")]
        + ([by("hurl", [c.hurl, "--no-output", "--file-root", big.parent, "upload.hurl"], requests=1, server="sink", rounds=3)] if c.hurl else []),
        [Target("wall", 1.1, "curl"), Target("peak", 25)], base="curl")

    tls = f"defaults:\n  http: 2\n  tls: {{ ca: {c.servers.certificate} }}\n"
    documents.independent(f, "http2", n, secure, tls)
    yield Row(
        "http2", "10,000 GETs over TLS and HTTP/2, multiplexed",
        [by("garland", [garland, "run", *everything, "--allow-path", "/", "http2.yaml"], requests=n),
         by("limit", [limit, "-2", "-a", c.servers.certificate, "-n", n, "-c", 64, "-s", '"id":1', f"{secure}/json?i=%d"], requests=n)],
        [Target("cpu", 1.5, "limit"), Target("wall", 1.5, "limit")], requests=n)

    for count in (10_000, 100_000):
        documents.checked(f, count)
    yield Row(
        "check", "check of 10,000 and of 100,000 steps",
        [by("garland", [garland, "check", "check10000.yaml"]), by("100,000 steps", [garland, "check", "check100000.yaml"])],
        # Ten times the steps, ten times the time; a tenth more is what the caches of a processor make of it.
        [Target("wall", 0.25), Target("wall", 11, "garland", name="100,000 steps")], base="garland", requests=10_000)
