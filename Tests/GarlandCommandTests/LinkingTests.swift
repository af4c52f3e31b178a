import Glibc
import TestSupport
import Testing

/// What the release build of the command has in place of parts of the C library and of the Swift runtime: see Linking/heap.c and Linking/counts.c.
@Suite(.timeLimit(.minutes(5))) struct LinkingTests {
  /// The C compiler beside the Swift compiler, or the system's.
  private static func compiler() async throws -> String {
    let script =
      "for c in \"$(dirname \"$(readlink -f \"$(command -v swiftc)\")\")/clang\" clang cc; do command -v \"$c\" && exit 0; done; exit 1"
    let found = try await ChildProcess.run("/bin/sh", ["-c", script])
    return String(found.output.split(separator: "\n").first ?? "cc")
  }

  private static func build(_ arguments: [String], to path: String) async throws {
    let result = try await ChildProcess.run(
      compiler(), ["-O2", "-fno-builtin", "-Wall", "-Wextra", "-Werror"] + arguments + ["-o", path], in: Repository.path("Linking"))
    try #require(result.status == 0, "\(result.error)")
  }

  @Test(arguments: [nil, "ulimit -v 4000000; "])
  func `memory belongs to one at a time`(limit: String?) async throws {
    let folder = try TemporaryFolder()
    try await Self.build(["heap-test.c", "heap.c", "-lpthread"], to: folder.path + "/heap")
    let result = try await ChildProcess.run("/bin/sh", ["-c", (limit ?? "") + "./heap"], in: folder.path)
    #expect(result.output == "ok\n")
    #expect(result.status == 0, "\(result.error)")
  }

  @Test func `references are counted whoever counts`() async throws {
    let folder = try TemporaryFolder()
    let calls = """
      extern void *swift_retain(void *);
      extern void swift_release(void *);
      void *count_up(void *o) { return swift_retain(o); }
      void count_down(void *o) { swift_release(o); }
      """
    try folder.write("calls.c", calls)
    let wraps = ["swift_retain", "swift_release", "pthread_create"].map { "-Wl,--wrap=\($0)" }
    try await Self.build(["counts-test.c", "counts.c", folder.path + "/calls.c", "-lpthread"] + wraps, to: folder.path + "/counts")
    let result = try await ChildProcess.run(folder.path + "/counts", [])
    #expect(result.output == "ok\n")
    #expect(result.status == 0, "\(result.error)")
  }
}
