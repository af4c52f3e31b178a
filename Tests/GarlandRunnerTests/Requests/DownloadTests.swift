import GarlandResults
import GarlandSandbox
import TestSupport
import Testing

@Suite("Downloads")
struct DownloadTests {
  @Test func aFileIsThereOnlyIfItIsCompleteAndValid() async throws {
    try await withSandbox { sandbox in
      let folder = try TemporaryFolder()
      try folder.write("old.json", "old")
      let run = try await TestRun.carryOut(
        prelude + """
            good: { get: /json, download: { to: out/good.json } }
            invalid: { get: /json, download: { to: invalid.json }, expect: { status: 404 } }
            truncated: { get: /fault/truncate, download: { to: truncated.json } }
            exists: { get: /json, download: { to: old.json } }
            outside: { get: /json, download: { to: ../outside.json } }
            upload: { post: /anything, body: { file: "${env.OUT}" }, after: good }
          """, sandbox, folder: folder
      ) { $0.environment["OUT"] = "out/good.json" }
      #expect(run.outcomes == ["good passed", "invalid failed", "truncated error", "exists error", "outside error", "upload passed"])
      #expect(folder.names == ["old.json", "out"])
      #expect(try folder.read("old.json") == Array("old".utf8))
      #expect(try run.result("good").exchanges.first?.responseBody?.file == folder.path + "/out/good.json")
      #expect(run.summary.exitStatus == 1)
    }
  }

  @Test func theDigestOfADownloadIsThatOfItsBytes() async throws {
    try await withSandbox { sandbox in
      let folder = try TemporaryFolder()
      let run = try await TestRun.carryOut(
        prelude + """
            source: { get: /json, download: { to: a.json } }
            same: { get: /json, after: source, download: { to: b.json }, expect: { sha256: "${source.text | sha256}" } }
            other: { get: /json, download: { to: c.json }, expect: { sha256: \(String(repeating: "0", count: 64)) } }
          """, sandbox, folder: folder)
      #expect(run.outcomes == ["source passed", "same passed", "other failed"])
      #expect(folder.names == ["a.json", "b.json"])
    }
  }
}
