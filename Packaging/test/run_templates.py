"""Runs the commands of action.yml and examples/ci against a server that has the release, and the hooks of pre-commit."""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

import yaml

SOURCES, VERSION = pathlib.Path(os.environ["SOURCES"]), os.environ["VERSION"]
server, work = sys.argv[1], pathlib.Path(sys.argv[2])
project = work / "project"
(project / "tests").mkdir(parents=True)
for name in ("quickstart.yaml", "cover.png"):
    shutil.copyfile(SOURCES / "examples" / name, project / "tests" / name)


def github():
    """The composite action, with what the runner would fill in for its expressions."""
    action = yaml.safe_load((SOURCES / "action.yml").read_text())
    files = {name: work / name for name in ("GITHUB_OUTPUT", "GITHUB_PATH", "GITHUB_STEP_SUMMARY")}
    for file in files.values():
        file.write_text("")
    values = {
        **{f"inputs.{name}": str(each.get("default", "")) for name, each in action["inputs"].items()}, "inputs.paths": "tests/",
        "inputs.args": "--sandbox\n--quiet", "inputs.version": VERSION, "github.server_url": server, "github.action_repository": "acme/garland", "runner.temp": str(work)}
    path, outputs = os.environ["PATH"], {}
    for step in action["runs"]["steps"]:
        if "run" not in step:
            continue

        def fill(text):
            return re.sub(r"\$\{\{\s*([\w.-]+)\s*\}\}", lambda found: values[found[1]], text)

        environment = {
            "PATH": path, "HOME": str(work), "RUNNER_TEMP": str(work), "RUNNER_TOOL_CACHE": str(work / "tools"),
            **{name: str(file) for name, file in files.items()}, **{name: fill(value) for name, value in step.get("env", {}).items()}}
        result = subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", fill(step["run"])], cwd=project, env=environment)
        assert result.returncode == 0, f"a step of action.yml ended with {result.returncode}"
        outputs = dict(line.split("=", 1) for line in files["GITHUB_OUTPUT"].read_text().splitlines())
        values.update({f"steps.{step.get('id')}.outputs.{name}": value for name, value in outputs.items()})
        path = ":".join([*files["GITHUB_PATH"].read_text().split(), os.environ["PATH"]])
    assert outputs["status"] == "0"
    assert "passed" in files["GITHUB_STEP_SUMMARY"].read_text()
    assert (work / "garland-reports/junit.xml").stat().st_size and (work / "garland-reports/result.json").stat().st_size


def gitlab():
    """The job's lines, without those that install packages."""
    job = yaml.safe_load((SOURCES / "examples/ci/gitlab.yml").read_text())
    lines = [line for line in job["api-tests"]["before_script"] + job["api-tests"]["script"] if not line.startswith("apt-get")]
    lines = [line.replace("garland run tests/", "garland run tests/ --sandbox") for line in lines]
    environment = {"PATH": os.environ["PATH"], "HOME": str(work), "GARLAND_VERSION": VERSION, "GARLAND_RELEASES": f"{server}/acme/garland/releases/download"}
    result = subprocess.run(["bash", "-eo", "pipefail", "-c", "\n".join(lines)], cwd=project, env=environment)
    assert result.returncode == 0, f"the GitLab job ended with {result.returncode}"
    assert (project / "junit.xml").stat().st_size


def jenkins():
    """The pipeline, run by Groovy."""
    pipeline = project / "Jenkinsfile"
    pipeline.write_text((SOURCES / "examples/ci/Jenkinsfile").read_text().replace("garland run tests/", "garland run tests/ --sandbox"))
    result = subprocess.run(["groovy", SOURCES / "Packaging/test/jenkins.groovy", pipeline.name], cwd=project, env=installed())
    assert result.returncode == 0, f"the Jenkinsfile ended with {result.returncode}"


def monitoring():
    """The commands of the systemd service and of the CronJob, with folders of this test."""
    service = re.search(r"^ExecStart=(.*)$", (SOURCES / "examples/ci/garland.service").read_text(), re.MULTILINE)[1]
    job = yaml.safe_load((SOURCES / "examples/ci/cronjob.yml").read_text())
    container = job["spec"]["jobTemplate"]["spec"]["template"]["spec"]["containers"][0]
    folders = {"/usr/bin/garland": work / "bin/garland", "/etc/garland": project / "tests", "/workflows": project / "tests"}
    for name, words in (("service", shlex.split(service)), ("cronjob", ["/usr/bin/garland", *container["args"]])):
        reports = work / name
        reports.mkdir()
        for before, after in {**folders, "/var/lib/garland": reports, "/run/garland": reports, "/reports": reports}.items():
            words = [re.sub(rf"(^|=){before}", rf"\g<1>{after}", word) for word in words]
        result = subprocess.run([*words, "--sandbox"], cwd=work, env={"HOME": str(work)})
        assert result.returncode == 0, f"the command of the {name} ended with {result.returncode}"
        assert (reports / "result.json").stat().st_size and (reports / "garland.prom").stat().st_size


def installed():
    return {"PATH": f"{work / 'bin'}:{os.environ['PATH']}", "HOME": str(work)}


def pre_commit():
    """Each hook as pre-commit runs it, on a document that it finds and that has a mistake with a fix."""
    hooks = yaml.safe_load((SOURCES / ".pre-commit-hooks.yaml").read_text())
    environment = installed()
    for hook in hooks:
        document = project / "smoke.garland.yaml"
        document.write_text("garland: 1\nsteps: { a: { gte: http://127.0.0.1/ } }\n")
        assert re.search(hook["files"], document.name)
        result = subprocess.run([*shlex.split(hook["entry"]), document.name], cwd=project, env=environment)
        fixes = "--fix" in hook["entry"]
        assert result.returncode == (0 if fixes else 2), f"the hook {hook['id']} ended with {result.returncode}"
        assert ("get:" in document.read_text()) == fixes, f"the hook {hook['id']} did not do what it should"


github()
gitlab()
jenkins()
monitoring()
pre_commit()
