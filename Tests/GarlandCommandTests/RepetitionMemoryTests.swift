import GarlandSandbox
import TestSupport
import Testing

/// Memory of repetitions: with `--users`, `--rate` and plain `--repeat`, it does not grow with their number.
@Suite(.timeLimit(.minutes(10)), .serialized) struct RepetitionMemoryTests {
  @Test(arguments: [["--users", "8"], ["--rate", "2000/s"], []])
  func `ten times as many repetitions do not increase the memory use of a run`(options: [String]) async throws {
    var settings = SandboxOptions()
    settings.recordLimit = 100
    let sandbox = try await Sandbox.start(options: settings)
    let folder = try TemporaryFolder()
    try folder.write(
      "w.yaml",
      """
      garland: 1
      defaults: { base_url: "\(sandbox.url)" }
      steps:
        login: { post: /anything/login, json: { token: "t-${run.iteration}" }, extract: { token: $.json.token } }
        read: { get: "/get?t=${login.token}", expect: { status: 200, json: { $.method: GET } } }

      """)
    func peak(_ repetitions: Int) async throws -> Double {
      let (status, megabytes, output) = try await MemoryTests.peakMemory(
        ["run", "w.yaml", "--quiet", "--repeat", "\(repetitions)", "--report", "json=\(repetitions).json", "--report", "junit=r.xml"]
          + options, in: folder.path)
      #expect(status == 0, "\(output.suffix(2_000))")
      return megabytes
    }
    let few = DeepTests.rounds(2_000, otherwise: 100)
    let (small, large) = (try await peak(few), try await peak(10 * few))
    await sandbox.stop()
    // Kept results would take more than a kilobyte each: 36 MB of 20,000 repetitions.
    let most = Double(DeepTests.rounds(8, otherwise: 4))
    #expect(large - small < most, "\(small) MB for \(few) repetitions, \(large) MB for ten times as many")
  }
}
