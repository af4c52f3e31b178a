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
}
