import TestSupport
import Testing

/// What stands in place of parts of libcurl in the program that is shipped.
@Suite(.timeLimit(.minutes(5)))
struct LinkingTests {
  @Test("formatted text is libcurl's own, byte for byte")
  func formatting() async throws {
    let folder = try TemporaryFolder()
    let script = """
      clang=$(dirname "$(readlink -f "$(command -v swiftc)")")/clang
      "$clang" -O2 -Wall -Wextra -Werror -Dcurl_mvsnprintf=ours_mvsnprintf -Dcurl_mvaprintf=ours_mvaprintf \\
        Linking/formatting.c Linking/formatting_test.c -o "$1/formatting" -ldl && "$1/formatting"
      """
    let result = try await ChildProcess.run("/bin/bash", ["-euo", "pipefail", "-c", script, "bash", folder.path], in: Repository.path)
    #expect(result.status == 0, "\(result.output)\(result.error)")
    #expect(result.output == "0 of 924 comparisons differ\n")
  }

  #if arch(x86_64)
    @Test("OpenSSL is opened when a function of it is called, and set up as libcurl asked for")
    func lazyOpenSSL() async throws {
      let folder = try TemporaryFolder()
      let script = """
        clang=$(dirname "$(readlink -f "$(command -v swiftc)")")/clang
        Linking/prepare "$1/libraries"
        "$clang" -O2 -Wall -Wextra -Werror -Wno-deprecated-declarations -no-pie Linking/lazy_test.c -o "$1/lazy" -L"$1/libraries" \\
          -lcurl -lssl -lcrypto -lpsl -lbrotlidec -lzstd -lz -ldl -lm && "$1/lazy"
        """
      let result = try await ChildProcess.run("/bin/bash", ["-euo", "pipefail", "-c", script, "bash", folder.path], in: Repository.path)
      #expect(result.status == 0, "\(result.output)\(result.error)")
      #expect(
        result.output == """
          libcurl is set up: not open
          without TLS: not reached
          a request without TLS: not open
          a function of OpenSSL: open
          context: yes, engines: yes

          """)
    }

    @Test func `a library that can't be opened fails what needs it, and the program goes on`() async throws {
      let folder = try TemporaryFolder()
      let script = """
        clang=$(dirname "$(readlink -f "$(command -v swiftc)")")/clang
        Linking/prepare "$1/libraries"
        "$clang" -O2 -Wall -Wextra -Werror -Wno-deprecated-declarations -no-pie Linking/lazy_missing_test.c -o "$1/lazy" \
          -L"$1/libraries" -lcurl -lssl -lcrypto -lpsl -lbrotlidec -lzstd -lz -ldl -lm && "$1/lazy"
        """
      let result = try await ChildProcess.run("/bin/bash", ["-euo", "pipefail", "-c", script, "bash", folder.path], in: Repository.path)
      #expect(result.status == 0, "\(result.output)\(result.error)")
      #expect(
        result.output == """
          zlib: -2
          zstd: no
          brotli: no
          libpsl: no
          digest: no
          digest: no
          context: no
          request: failed

          """)
      let lines = result.error.split(separator: "\n").filter { $0.contains("a library that is needed cannot be loaded") }
      #expect(lines.count == 6, "\(result.error)")
    }
  #endif
}
