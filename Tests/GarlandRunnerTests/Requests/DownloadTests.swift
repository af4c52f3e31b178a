import GarlandResults
import GarlandSandbox
import Synchronization
import TestSupport
import Testing

@Suite("Downloads")
struct DownloadTests {
  @Test func `the file of a download exists only after the download is complete and has met its expectations`() async throws {
    try await withSandbox { sandbox in
      let folder = try TemporaryFolder()
      try folder.write("old.json", "old")
      let run = try await TestRun.carryOut(
        prelude + """
            good: { get: /json, download: { to: out/good.json } }
            invalid: { get: /json, download: { to: invalid.json }, expect: { status: 404 } }
            truncated: { get: /fault/truncate, download: { to: truncated.json } }
            exists: { get: /json, download: { to: old.json, replace: false } }
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

  @Test func `the expected digest of a download is compared with the digest of the downloaded bytes`() async throws {
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

  @Test(.timeLimit(.minutes(15))) func `an interrupted download is resumed by the next run`() async throws {
    let requests = Mutex<[String]>([])
    let server = try RawServer { connection in
      while let request = connection.readRequest() {
        requests.withLock { $0.append(request.head) }
        if request.head.contains("Range: bytes=6-\r\nIf-Range: \"a\"\r\n") {
          connection.send("HTTP/1.1 206 P\r\nETag: \"a\"\r\nContent-Range: bytes 6-10/11\r\nContent-Length: 5\r\n\r\nworld")
        } else {
          connection.send("HTTP/1.1 200 OK\r\nETag: \"a\"\r\nContent-Length: 11\r\n\r\nhello ")
          return
        }
      }
    }
    try await withSandbox { sandbox in
      let folder = try TemporaryFolder()
      let digest = "b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9"
      let text =
        prelude + """
              file: { get: "\(server.url)/x", download: { to: x, resume: true }, expect: { status: 200, size: 11B, sha256: \(digest) } }
          """
      let first = try await TestRun.carryOut(text, sandbox, folder: folder)
      #expect(first.outcomes == ["file error"])
      #expect(folder.names == [".x.garland-partial", ".x.garland-partial.json"])
      let second = try await TestRun.carryOut(text, sandbox, folder: folder)
      #expect(second.outcomes == ["file passed"])
      #expect(folder.names == ["x"])
      #expect(requests.withLock { $0.count } == 2)
    }
  }
}
