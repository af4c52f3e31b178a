import TestSupport
import Testing

/// Tests of the parts of `Packaging` for which no release must be built. `make test-release` tests the packages.
@Suite(.timeLimit(.minutes(15)))
struct PackagingTests {
  @Test func `Garland's replacement for libcurl's mprintf functions formats the same bytes as libcurl`() async throws {
    let result = try await run(
      """
      "$clang" -O2 -Wall -Wextra -Werror -Dcurl_mvsnprintf=ours_mvsnprintf -Dcurl_mvaprintf=ours_mvaprintf \
        Packaging/program/formatting.c Packaging/program/formatting_test.c -o "$1/formatting" -ldl && "$1/formatting"
      """)
    #expect(result.status == 0, "\(result.output)\(result.error)")
    #expect(result.output == "0 of 924 comparisons differ\n")
  }

  @Test func `Garland's replacements for two libcurl functions that ignore case compare texts as libcurl does`() async throws {
    let result = try await run(
      """
      "$clang" -O2 -Wall -Wextra -Werror -Dcurl_strequal=ours_strequal -Dcurl_strnequal=ours_strnequal \
        Packaging/program/comparing.c Packaging/program/comparing_test.c -o "$1/comparing" -ldl && "$1/comparing"
      """)
    #expect(result.status == 0, "\(result.output)\(result.error)")
    #expect(result.output == "0 of 131297 comparisons differ\n")
  }

  @Test func `Garland's replacement for the sscanf of libcurl's http.c reads status lines as the C library does`() async throws {
    let result = try await run(
      """
      "$clang" -O2 -Wall -Wextra -Werror Packaging/program/scanning.c Packaging/program/scanning_test.c -o "$1/scanning" && "$1/scanning"
      """)
    #expect(result.status == 0, "\(result.output)\(result.error)")
    #expect(result.output == "0 of 102322 comparisons differ\n")
  }

  @Test func `without the Kerberos library, Kerberos is unavailable, and one warning names the missing package`() async throws {
    let result = try await run(
      """
      "$clang" -O2 -Wall -Wextra -Werror '-DKERBEROS="libnone.so.2"' Packaging/program/kerberos.c Packaging/program/kerberos_test.c \
        -o "$1/kerberos" -ldl && "$1/kerberos"
      """)
    #expect(result.status == 0, "\(result.output)\(result.error)")
    #expect(result.output == "import: 16\ninitialise: 16\nwords: 0, more: 0\n")
    #expect(result.error == "warning: Kerberos is not available: libnone.so.2 is missing (Debian: libgssapi-krb5-2)\n")
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func `the shell script that 'garland completions' prints contains the names of commands and options`(shell: String) async throws {
    let script = try await Garland.run(["completions", shell])
    #expect(script.status == 0)
    for word in ["run", "check", "plan", "report", "export", "send", "concurrency", "per-origin", "profile"] {
      #expect(script.output.contains(word), "\(word)")
    }
  }

  @Test func `--version --verbose names the version and every library`() async throws {
    let report = try await Garland.run(["--version", "--verbose"])
    #expect(report.status == 0)
    let version = try await Garland.run(["--version"]).output
    #expect(report.output.hasPrefix("garland \(version)"))
    for library in ["brotli", "curl", "libidn2", "libpsl", "libyaml", "nghttp2", "OpenSSL", "PCRE2", "zlib", "zstd"] {
      #expect(report.output.contains("\(library) "), "\(library) is missing: \(report.output)")
    }
  }

  @Test func `the command 'make version' refuses a version that is not a semantic version`() async throws {
    let result = try await run("Packaging/version 1.2")
    #expect(result.status == 2)
    #expect(result.error.hasPrefix("usage: make version VERSION=X.Y.Z"))
  }

  @Test func `the command 'make version' replaces the old version in every file that users read`() async throws {
    let result = try await run(
      """
      old=$(sed -n 's/.*static let text = "\\(.*\\)"/\\1/p' Sources/garland/Process/GarlandVersion.swift)
      cp -r --parents -t "$1" action.yml .pre-commit-hooks.yaml examples/ci examples/scale docs README.md CHANGELOG.md Packaging/README.md Packaging/version \
        Sources/garland/Process Tests/Golden/GarlandCommandTests/inspection
      cd "$1"
      grep -q "^## Unreleased$" CHANGELOG.md || sed -i "1a ## Unreleased" CHANGELOG.md
      Packaging/version 98.7.6-rc.1
      grep -rnF "$old" . --exclude=CHANGELOG.md || true
      grep -rlF 98.7.6-rc.1 . | sort
      """)
    #expect(result.status == 0, "\(result.error)")
    #expect(
      result.output.split(separator: "\n").dropFirst() == [
        "./CHANGELOG.md", "./Packaging/README.md", "./README.md", "./Sources/garland/Process/GarlandVersion.swift",
        "./Tests/Golden/GarlandCommandTests/inspection/--version.txt", "./action.yml", "./docs/install.md", "./docs/libraries.md",
        "./examples/ci/cronjob.yml", "./examples/ci/gitlab.yml", "./examples/scale/github.yml", "./examples/scale/gitlab.yml",
        "./examples/scale/kubernetes.yml",
      ])
  }

  @Test(arguments: ["http://git.test/a git.test/a 'A <a@b.test>'", "https://git.test/a git.test/a nobody", "'' '' ''"])
  func `the command 'make addresses' refuses an invalid address of the repository, registry or author`(values: String) async throws {
    let result = try await run("Packaging/publish-at \(values)")
    #expect(result.status == 2)
    #expect(result.error.hasPrefix("usage: make addresses REPOSITORY=https://HOST/OWNER/NAME"))
  }

  @Test func `the command 'make addresses' leaves no placeholder address in the documentation and the example files`() async throws {
    let result = try await run(
      """
      cp -r --parents -t "$1" action.yml .pre-commit-hooks.yaml examples/ci examples/scale docs README.md Packaging/addresses Packaging/publish-at
      cd "$1"
      Packaging/publish-at https://git.test/tools/garland registry.test:5000/tools/garland "Ann Lee <ann@git.test>" | sort
      grep -rnE 'github\\.example|registry\\.example|OWNER|garland@example' . --exclude=publish-at || true
      grep -rlE 'git\\.test|registry\\.test|uses: tools/garland@v|Ann Lee' . | sort
      """)
    #expect(result.status == 0, "\(result.error)")
    let changed = [
      "Packaging/addresses", "README.md", "docs/install.md", "docs/libraries.md", "examples/ci/cronjob.yml", "examples/ci/gitlab.yml",
      "examples/scale/github.yml", "examples/scale/gitlab.yml", "examples/scale/kubernetes.yml",
    ]
    #expect(result.output.split(separator: "\n").map(String.init) == changed + changed.map { "./\($0)" })
  }

  @Test func `the installed documentation has no dead link`() async throws {
    let result = try await run("Packaging/documents \"$1/share/garland\" && .ci/check-links \"$1/share/garland\"")
    #expect(result.status == 0, "\(result.error)")
  }

  private func run(_ script: String) async throws -> ChildProcess.Result {
    let folder = try TemporaryFolder()
    let preamble = "clang=$(dirname \"$(readlink -f \"$(command -v swiftc)\")\")/clang\n"
    return try await ChildProcess.run(
      "/bin/bash", ["-euo", "pipefail", "-c", preamble + script, "bash", folder.path], in: Repository.path)
  }
}
