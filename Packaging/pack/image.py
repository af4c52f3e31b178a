"""The container image: the archive's program, the C library, CA certificates and time zones. OCI image layout 1.0."""
import datetime
import gzip
import hashlib
import io
import json
import shutil
import subprocess
import tarfile

from . import archive, tree

# The user that distroless images have: not root, and known to policies by its number.
USER = 65532
LIBRARIES = ["libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1", "libresolv.so.2", "libnss_dns.so.2", "libnss_files.so.2"]
ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}


def unpack(package, work):
    """The files of a Debian package in the version that is current, whether it is installed or not."""
    downloads, folder = work / "downloads" / package, work / "packages" / package
    downloads.mkdir(parents=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(
        ["apt-get", "-q", "-o", "APT::Sandbox::User=", "download", package], cwd=downloads, check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["dpkg-deb", "-x", next(downloads.glob("*.deb")), folder], check=True)
    return folder


def lay(inside, work):
    root = work / "root"
    for folder in ("usr/bin", "etc/ssl/certs", "tmp", "work", "usr/share", "home/garland", "proc", "dev", "sys"):
        (root / folder).mkdir(parents=True)
    (root / "tmp").chmod(0o1777)
    shutil.copytree(inside / "share/garland", root / "usr/share/garland")
    shutil.copyfile(inside / "bin/garland", root / "usr/bin/garland")
    (root / "usr/bin/garland").chmod(0o755)
    c_library = unpack("libc6", work)
    loader = next(c_library.glob("lib*/ld-linux*"))
    (root / loader.parent.relative_to(c_library)).mkdir(parents=True, exist_ok=True)
    shutil.copyfile(loader, root / loader.relative_to(c_library))
    (root / loader.relative_to(c_library)).chmod(0o755)
    for name in LIBRARIES:
        for file in c_library.glob(f"lib/*/{name}"):
            (root / file.parent.relative_to(c_library)).mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, root / file.relative_to(c_library))
    authorities = unpack("ca-certificates", work)
    certificates = sorted((authorities / "usr/share/ca-certificates/mozilla").glob("*.crt"))
    (root / "etc/ssl/certs/ca-certificates.crt").write_text("".join(file.read_text() for file in certificates))
    shutil.copytree(unpack("tzdata", work) / "usr/share/zoneinfo", root / "usr/share/zoneinfo", symlinks=True)
    (root / "etc/passwd").write_text(f"root:x:0:0:root:/root:/sbin/nologin\ngarland:x:{USER}:{USER}:garland:/home/garland:/sbin/nologin\n")
    (root / "etc/group").write_text(f"root:x:0:\ngarland:x:{USER}:\n")
    (root / "etc/nsswitch.conf").write_text("hosts: files dns\n")
    return root


class Blobs:
    def __init__(self, folder):
        self.folder = folder / "blobs/sha256"
        self.folder.mkdir(parents=True)

    def add(self, content, kind, **more):
        name = hashlib.sha256(content).hexdigest()
        (self.folder / name).write_bytes(content)
        return {"mediaType": f"application/vnd.oci.image.{kind}", "digest": f"sha256:{name}", "size": len(content), **more}


def layer(root, time):
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w", format=tarfile.GNU_FORMAT) as made:
        archive.add_tree(made, root, ".", time)
    return raw.getvalue()


def write(release, inside, work, target):
    root = lay(inside, work)
    layout = work / "layout"
    blobs = Blobs(layout)
    created = datetime.datetime.fromtimestamp(release.time, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    files = layer(root, release.time)
    architecture = ARCHITECTURES[release.machine]
    configuration = {
        "created": created, "architecture": architecture, "os": "linux",
        "config": {
            "User": f"{USER}:{USER}", "Entrypoint": ["/usr/bin/garland"], "Cmd": ["--help"], "WorkingDir": "/work",
            "Env": ["PATH=/usr/bin", "HOME=/home/garland", "LANG=C.UTF-8"],
            "Labels": {"org.opencontainers.image.title": "garland", "org.opencontainers.image.version": release.version,
                       "org.opencontainers.image.licenses": "MIT"}},
        "rootfs": {"type": "layers", "diff_ids": [f"sha256:{hashlib.sha256(files).hexdigest()}"]},
        "history": [{"created": created, "created_by": "Packaging/release"}]}
    manifest = {
        "schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json",
        "config": blobs.add(json.dumps(configuration).encode(), "config.v1+json"),
        "layers": [blobs.add(gzip.compress(files, 9, mtime=0), "layer.v1.tar+gzip")]}
    entry = blobs.add(
        json.dumps(manifest).encode(), "manifest.v1+json", platform={"architecture": architecture, "os": "linux"},
        annotations={"org.opencontainers.image.ref.name": f"garland:{release.version}"})
    (layout / "index.json").write_text(json.dumps({"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "manifests": [entry]}))
    (layout / "oci-layout").write_text(json.dumps({"imageLayoutVersion": "1.0.0"}))
    with tarfile.open(target, "w", format=tarfile.GNU_FORMAT) as made:
        archive.add_tree(made, layout, ".", release.time)
