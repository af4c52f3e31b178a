"""Archives whose bytes follow from their files."""
import gzip
import hashlib
import tarfile


def add_tree(archive, root, name, time, skip=lambda path: False):
    """Adds a folder's files, sorted, with one time and one owner."""
    for path in [root, *sorted(root.rglob("*"))]:
        if skip(path):
            continue
        relative = path.relative_to(root)
        entry = archive.gettarinfo(str(path), arcname=f"{name}/{relative}" if str(relative) != "." else name)
        entry.mtime, entry.uid, entry.gid, entry.uname, entry.gname = time, 0, 0, "", ""
        # The umask of the builder has no effect on the modes; every user may write to /tmp of an image.
        if not entry.issym():
            special = entry.mode & 0o7000
            entry.mode = (0o755 if entry.isdir() or entry.mode & 0o100 else 0o644) | special
            if special & 0o1000:
                entry.mode = 0o1777
        if entry.isreg():
            with open(path, "rb") as file:
                archive.addfile(entry, file)
        else:
            archive.addfile(entry)


def shared(path, root):
    """Whether a folder is one of the system's, such as /usr/local/share/man: unpacking must not change its owner and its mode."""
    return path.is_dir() and not path.is_symlink() and not path.is_relative_to(root / "share/garland")


def write(release, root, target):
    with open(target, "wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=release.time) as compressed:
        with tarfile.open(fileobj=compressed, mode="w", format=tarfile.GNU_FORMAT) as archive:
            add_tree(archive, root, root.name, release.time, skip=lambda path: shared(path, root))


def write_checksums(folder):
    lines = [f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in sorted(folder.iterdir())]
    (folder / "SHA256SUMS").write_text("".join(lines))
