"""The Debian package: the program with the system's libraries."""
import email.utils
import gzip
import os
import re
import shutil
import subprocess

from . import tree

DESCRIPTION = """make, for HTTP: runs declarative API workflows
 YAML files describe requests, expectations and values taken from responses.
 Garland works out which step depends on which, runs what is independent at the
 same time, and reports what failed with file, line and column.
 .
 Typical uses are smoke tests of APIs in CI, scripted OAuth logins, and
 collections of requests that a team shares."""

MAINTAINER = tree.addresses()["MAINTAINER"]


def dependencies(work, program):
    """The names of the program's libraries in Debian, from dpkg-shlibdeps."""
    folder = work / "source"
    (folder / "debian").mkdir(parents=True)
    (folder / "debian/control").write_text(f"Source: garland\nMaintainer: {MAINTAINER}\n\nPackage: garland\nArchitecture: any\n")
    line = tree.output("dpkg-shlibdeps", "-O", program, cwd=folder)
    return re.search(r"shlibs:Depends=(.*)", line).group(1)


def copyright(parts):
    text = (tree.REPOSITORY / "LICENSE").read_text()
    body = text[text.index("Permission is hereby granted"):].strip()
    paragraphs = "\n .\n".join(" " + x.replace("\n", "\n ") for x in body.split("\n\n"))
    return f"""Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: garland

Files: *
Copyright: 2026 The Garland authors
License: Expat
Comment: The Swift runtime and Swift packages are linked in; their licence is
 Apache-2.0, in /usr/share/common-licenses/Apache-2.0:
 {', '.join(part.name for part in parts)}.

License: Expat
{paragraphs}
"""


def write(release, work, target):
    from . import contents
    root = work / "root"
    program = root / "usr/bin/garland"
    program.parent.mkdir(parents=True)
    shutil.copyfile(tree.REPOSITORY / ".build/release/garland", program)
    subprocess.run(["strip", "--strip-unneeded", "--remove-section=.comment", "--remove-section=.note", program], check=True)
    program.chmod(0o755)
    tree.lay_documentation(program, root / "usr/share", compressed=True)
    documentation = root / "usr/share/doc/garland"
    documentation.mkdir(parents=True)
    for name in ("README.md", "docs", "examples"):
        (documentation / name).symlink_to(f"../../garland/{name}")
    (documentation / "copyright").write_text(copyright([*contents.checkout_parts(), contents.swift_part()]))
    day = email.utils.formatdate(release.time)
    changelog = f"garland ({release.version}) stable; urgency=medium\n\n  * See /usr/share/doc/garland/NEWS.gz.\n\n -- {MAINTAINER}  {day}\n"
    (documentation / "changelog.gz").write_bytes(gzip.compress(changelog.encode(), 9, mtime=0))
    (documentation / "NEWS.gz").write_bytes(gzip.compress((tree.REPOSITORY / "CHANGELOG.md").read_bytes(), 9, mtime=0))
    overrides = root / "usr/share/lintian/overrides"
    overrides.mkdir(parents=True)
    (overrides / "garland").write_text("# Swift's runtime is in no Debian package, so it is inside.\ngarland: embedded-library *\n")
    size = sum(file.stat().st_size for file in root.rglob("*") if file.is_file() and not file.is_symlink()) // 1024
    architecture = tree.output("dpkg", "--print-architecture").strip()
    control = root / "DEBIAN"
    control.mkdir()
    (control / "control").write_text(
        f"Package: garland\nVersion: {release.version}\nArchitecture: {architecture}\nMaintainer: {MAINTAINER}\nInstalled-Size: {size}\n"
        f"Depends: {dependencies(work, program)}, ca-certificates\nSection: web\nPriority: optional\n"
        f"Description: {DESCRIPTION}\n")
    sums = [
        f"{tree.output('md5sum', file).split()[0]}  {file.relative_to(root)}\n"
        for file in sorted(root.rglob("*")) if file.is_file() and not file.is_symlink() and control not in file.parents]
    (control / "md5sums").write_text("".join(sums))
    for path in [root, *root.rglob("*")]:
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)
        os.utime(path, (release.time, release.time), follow_symlinks=False)
    package = target / f"garland_{release.version}_{architecture}.deb"
    subprocess.run(["dpkg-deb", "--root-owner-group", "-Zxz", "--build", root, package], check=True, stdout=subprocess.DEVNULL)
