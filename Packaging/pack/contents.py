"""The list of the libraries inside the archive's program: names, versions, licences. SPDX 2.3."""
import dataclasses
import datetime
import json
import pathlib
import re
import shutil
import subprocess

from . import tree

# Debian's packages whose static libraries are linked in, with the licence of the library and the name of its source.
STATIC = {
    "libcurl4-openssl-dev": ("libcurl", "curl"), "libssl-dev": ("OpenSSL", "Apache-2.0"), "libnghttp2-dev": ("nghttp2", "MIT"),
    "libidn2-dev": ("libidn2", "LGPL-3.0-or-later OR GPL-2.0-or-later"), "libunistring-dev": ("libunistring", "LGPL-3.0-or-later OR GPL-2.0-or-later"),
    "libpsl-dev": ("libpsl", "MIT"), "libbrotli-dev": ("brotli", "MIT"), "libzstd-dev": ("zstd", "BSD-3-Clause"), "zlib1g-dev": ("zlib", "Zlib"),
    "libyaml-dev": ("libyaml", "MIT"), "libpcre2-dev": ("pcre2", "BSD-3-Clause"),
}


@dataclasses.dataclass
class Part:
    name: str
    version: str
    licence: str
    licence_file: pathlib.Path
    place: str
    purl: str


def checkout_parts():
    pins = json.loads((tree.REPOSITORY / "Package.resolved").read_text())["pins"]
    for pin in sorted(pins, key=lambda pin: pin["identity"]):
        # Those that only other packages' tests or targets need are not linked, yet are harmless to name.
        folder = tree.REPOSITORY / ".build/checkouts" / pathlib.Path(pin["location"]).stem
        licence = next(x for x in sorted(folder.iterdir()) if x.name.upper().startswith("LICENSE"))
        address = pin["location"].removesuffix(".git")
        version = pin["state"]["version"]
        yield Part(
            pin["identity"], version, "Apache-2.0", licence, f"git+{address}@{pin['state']['revision']}",
            f"pkg:swift/{address.removeprefix('https://')}@{version}")


def swift_part():
    toolchain = pathlib.Path(shutil.which("swiftc")).resolve().parent.parent
    version = re.search(r"Swift version (\S+)", tree.output("swiftc", "--version")).group(1)
    licence = toolchain / "share/swift/LICENSE.txt"
    return Part("swift-runtime", version, "Apache-2.0 WITH Swift-exception", licence, "NOASSERTION", f"pkg:github/swiftlang/swift@swift-{version}-RELEASE")


def debian_part(package, name, licence):
    version = tree.output("dpkg-query", "-W", "-f", "${Version}", package)
    copyright = pathlib.Path("/usr/share/doc") / package / "copyright"
    return Part(name, version, licence, copyright, "NOASSERTION", f"pkg:deb/debian/{package}@{version}?distro={distribution()}")


def distribution():
    facts = dict(line.split("=", 1) for line in pathlib.Path("/etc/os-release").read_text().splitlines() if "=" in line)
    return f"{facts['ID']}-{facts.get('VERSION_ID', 'unknown')}".replace('"', "")


def mimalloc_part():
    folder = tree.REPOSITORY / ".build/archive/libraries/mimalloc"
    description = next(folder.glob("*.dsc")).read_text()
    version = re.search(r"^Version: (\S+)", description, re.MULTILINE).group(1)
    return Part("mimalloc", version, "MIT", folder / "unpacked/LICENSE", "NOASSERTION", f"pkg:deb/debian/mimalloc@{version}?arch=source")


def parts(release):
    """Everything that is linked into the archive's program."""
    found = [*checkout_parts(), swift_part(), *(debian_part(package, *facts) for package, facts in STATIC.items()), mimalloc_part()]
    return sorted(found, key=lambda part: part.name)


def identifier(name):
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)


def package(part):
    return {
        "SPDXID": identifier(part.name), "name": part.name, "versionInfo": part.version, "downloadLocation": part.place, "filesAnalyzed": False,
        "licenseConcluded": "NOASSERTION", "licenseDeclared": part.licence if " WITH " not in part.licence else "Apache-2.0",
        "copyrightText": "NOASSERTION",
        "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": part.purl}]}


def write(release, parts, target):
    own = {
        "SPDXID": "SPDXRef-garland", "name": "garland", "versionInfo": release.version, "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
        "licenseConcluded": "NOASSERTION", "licenseDeclared": licence_name(), "copyrightText": "NOASSERTION"}
    document = {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"garland-{release.version}",
        "documentNamespace": f"urn:garland:{release.version}:{release.machine}:{release.time}",
        "creationInfo": {
            "created": datetime.datetime.fromtimestamp(release.time, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "creators": ["Tool: garland-packaging"]},
        "packages": [own, *(package(part) for part in parts)],
        "relationships": [
            {"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": "SPDXRef-garland"},
            *({"spdxElementId": "SPDXRef-garland", "relationshipType": "STATIC_LINK", "relatedSpdxElement": identifier(part.name)} for part in parts)]}
    target.write_text(json.dumps(document, indent=1) + "\n")


def licence_name():
    words = (tree.REPOSITORY / "LICENSE").read_text()[:300]
    return "Apache-2.0" if "Apache License" in words else "MIT" if "MIT" in words or "Permission is hereby granted" in words else "NOASSERTION"
