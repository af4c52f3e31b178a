"""Runs of whole processes: wall time, CPU time and peak memory as the kernel counts them, and what else the machine did meanwhile."""
import dataclasses
import json
import os
import pathlib
import subprocess
import sys
import time

# Whether a run waits until nobody else needs the machine, and is done again if somebody did meanwhile.
waits_for_quiet = True
TICK = os.sysconf("SC_CLK_TCK")


@dataclasses.dataclass
class Contender:
    """A command that does the work of a row."""
    name: str
    command: list
    folder: pathlib.Path
    requests: int | None = None
    server: str = "nginx"
    environment: dict = dataclasses.field(default_factory=dict)
    output: pathlib.Path | None = None
    same_as: pathlib.Path | None = None
    # A slow one takes part in so many rounds only.
    rounds: int | None = None


@dataclasses.dataclass
class Sample:
    wall: float
    cpu: float
    peak: float
    foreign: float


def machine_busy():
    fields = [int(x) / TICK for x in open("/proc/stat").readline().split()[1:9]]
    return sum(fields[:3]) + fields[5] + fields[6]


def own_cpu(pid):
    """CPU seconds of a process and the children that it has waited for."""
    fields = open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()
    return sum(int(x) for x in fields[11:15]) / TICK


def servers_cpu(servers):
    total = 0.0
    for process in servers.processes:
        for pid in [process.pid] + [int(x) for x in open(f"/proc/{process.pid}/task/{process.pid}/children").read().split()]:
            total += own_cpu(pid)
    return total


def settle(limit=8.0):
    """Waits until nobody else needs the machine, or for so many seconds."""
    end = time.monotonic() + (limit if waits_for_quiet else 0)
    while time.monotonic() < end:
        before = machine_busy()
        time.sleep(0.1)
        if (machine_busy() - before) / 0.1 / (os.cpu_count() or 1) < 0.1:
            return


class Failure(Exception):
    pass


class Runner:
    def __init__(self, build, servers, run_folder):
        self.measure, self.servers, self.folder = build / "measure", servers, run_folder
        (run_folder / "home").mkdir(exist_ok=True)

    def once(self, contender, timeout=300):
        if contender.output:
            contender.output.unlink(missing_ok=True)
            os.sync()
        out, err, result = (self.folder / name for name in ("out.txt", "err.txt", "measured.json"))
        environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(self.folder / "home"), "LANG": "C.UTF-8", "TERM": "dumb"}
        environment.update(contender.environment)
        before = self.servers.requests(contender.server) if contender.requests is not None else 0
        busy, serving, began = machine_busy(), servers_cpu(self.servers), time.monotonic()
        subprocess.run(
            [str(self.measure), str(out), str(err), "/dev/null", str(timeout), str(result), "--"] + [str(x) for x in contender.command],
            cwd=contender.folder, env=environment, check=True)
        span = time.monotonic() - began
        measured = json.loads(result.read_text())
        cpu = measured["user"] + measured["sys"]
        foreign = max(0.0, machine_busy() - busy - cpu - (servers_cpu(self.servers) - serving)) / (span * (os.cpu_count() or 1))
        if measured["exit"] != 0 or measured["timed_out"]:
            raise Failure(f"{contender.name} ended with {measured['exit']}: {err.read_text(errors='replace')[-500:]}")
        if contender.requests is not None:
            seen = self.servers.requests(contender.server) - before
            if seen != contender.requests:
                raise Failure(f"{contender.name} made {seen} requests, not {contender.requests}")
        if contender.same_as and subprocess.run(["cmp", "-s", str(contender.output), str(contender.same_as)]).returncode != 0:
            raise Failure(f"{contender.name}: the file that arrived is another")
        return Sample(measured["wall"], cpu, measured["maxrss_kb"] / 1024, foreign)

    def rounds(self, contenders, count, say):
        """Each contender once a round, in turn and each time in another order. A warm-up round is not counted."""
        samples = {c.name: [] for c in contenders}
        for number in range(count + 1):
            shift = number % len(contenders)
            for contender in contenders[shift:] + contenders[:shift]:
                if contender.rounds is not None and number > contender.rounds:
                    continue
                for attempt in range(4):
                    settle()
                    sample = self.once(contender)
                    # Someone else's work is the one reason to do a run again, never the figure.
                    if not waits_for_quiet or sample.wall < 0.1 or sample.foreign < 0.15 or attempt == 3:
                        break
                if number > 0:
                    samples[contender.name].append(sample)
            say(number, count)
        return samples


def program(build, name, source, *libraries):
    target = build / name
    if not target.exists() or target.stat().st_mtime < source.stat().st_mtime:
        compiler = os.environ.get("CC", "cc")
        static = ["-static"] if name == "measure" else []
        if subprocess.run([compiler, "-O2", "-Wall", "-Wextra", *static, "-o", str(target), str(source), *libraries]).returncode != 0:
            sys.exit(f"{source} could not be compiled")
    return target
