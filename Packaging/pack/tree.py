"""The release's facts, and the folder of files that archive and image share."""
import gzip
import os
import pathlib
import platform
import re
import shutil
import subprocess

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent.parent
COMPLETIONS = {
    "bash": "bash-completion/completions/garland", "zsh": "zsh/site-functions/_garland", "fish": "fish/vendor_completions.d/garland.fish"}


def output(*command, **options):
    return subprocess.run([str(x) for x in command], check=True, capture_output=True, text=True, **options).stdout


def addresses():
    """Where Garland is published, and by whom."""
    text = (REPOSITORY / "Packaging/addresses").read_text()
    return {name: value.strip('"') for name, value in re.findall(r"^([A-Z]+)=(.*)$", text, re.MULTILINE)}


class Release:
    """Version, time and processor."""

    def __init__(self):
        source = (REPOSITORY / "Sources/garland/Process/GarlandVersion.swift").read_text()
        self.version = re.search(r'"(\d+\.\d+\.\d+[^"]*)"', source).group(1)
        self.machine = platform.machine()
        self.time = int(os.environ.get("SOURCE_DATE_EPOCH") or self.commit_time())
        # For all tools that are run.
        os.environ["SOURCE_DATE_EPOCH"] = str(self.time)
        os.environ["TZ"] = "UTC"

    def commit_time(self):
        """When the commit was made; without git (an archive of a tag) when the version was released."""
        result = subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=REPOSITORY, capture_output=True, text=True)
        if result.returncode == 0:
            return result.stdout.strip()
        day = re.search(r"^## \S+ \((\d{4}-\d\d-\d\d)\)", (REPOSITORY / "CHANGELOG.md").read_text(), re.MULTILINE)
        if not day:
            raise SystemExit("error: there is no git repository, and CHANGELOG.md has no version with a date: set SOURCE_DATE_EPOCH")
        return output("date", "-u", "-d", day.group(1), "+%s").strip()


def lay_documentation(program, folder, compressed=False):
    """Manual pages, completions, documentation, examples and schemas, below `share` or `/usr/share`."""
    subprocess.run([REPOSITORY / "Packaging/manual", program, folder / "man"], check=True)
    if compressed:
        for page in (folder / "man").rglob("*.[15]"):
            page.with_name(page.name + ".gz").write_bytes(gzip.compress(page.read_bytes(), 9, mtime=0))
            page.unlink()
    for shell, path in COMPLETIONS.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        script = output(program, "completions", shell)
        # Shells read the script, nobody runs it.
        (folder / path).write_text(script.partition("\n")[2] if script.startswith("#!") else script)
    # `garland help TOPIC` shows these pages, and systems without documentation leave out share/doc: so they are not in there.
    subprocess.run([REPOSITORY / "Packaging/documents", folder / "garland"], check=True)


def lay(release, folder, program, parts):
    """The files of the archive, in a folder of the archive's name."""
    root = folder / f"garland-{release.version}-linux-{release.machine}"
    (root / "bin").mkdir(parents=True)
    shutil.copyfile(program, root / "bin/garland")
    (root / "bin/garland").chmod(0o755)
    lay_documentation(root / "bin/garland", root / "share")
    (root / "share/doc").mkdir()
    (root / "share/doc/garland").symlink_to("../garland")
    licences = root / "share/garland/licences"
    licences.mkdir(parents=True)
    for part in parts:
        shutil.copyfile(part.licence_file, licences / f"{part.name}.txt")
    return root
