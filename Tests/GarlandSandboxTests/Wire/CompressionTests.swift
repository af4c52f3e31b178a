import Foundation
import GarlandJSON
import TestSupport
import Testing

/// Tests that a real decompressor, that of curl, can read the output that is created without compression.
@Suite struct CompressionTests {
  static let targets = ["/gzip", "/deflate", "/deflate?raw=1"]

  @Test(arguments: targets) func `curl can decompress the compressed responses of the sandbox`(target: String) async throws {
    try await withSandbox { sandbox in
      let (bytes, status) = try Curl.run(["--compressed", "\(sandbox.url)\(target)"])
      #expect(status == 0)
      #expect(try JSONValue(parsing: bytes)["target"]?.stringValue == target)
    }
  }

  @Test func `a gzip bomb of the sandbox unpacks to the requested number of zeros`() async throws {
    try await withSandbox { sandbox in
      let (bytes, status) = try Curl.run(["--compressed", "\(sandbox.url)/fault/gzip-bomb?size=3000000"])
      #expect(status == 0, "the checksum is right")
      #expect((2_990_000...3_001_000).contains(bytes.count))
      #expect(bytes.allSatisfy { $0 == 0 })
      let packed = try sandbox.get("/fault/gzip-bomb?size=3000000")
      #expect(packed.body.count < 20_000)
      let large = try sandbox.request("HEAD", "/fault/gzip-bomb")
      #expect((large.first("Content-Length").flatMap { Int($0) } ?? 0) < 10_000_000)
    }
  }

  static let broken = ["garbage", "checksum"]

  @Test(arguments: broken) func `curl refuses the sandbox's broken gzip response`(kind: String) async throws {
    try await withSandbox { sandbox in
      let (_, status) = try Curl.run(["--compressed", "\(sandbox.url)/fault/bad-gzip?kind=\(kind)"])
      #expect(status != 0)
    }
  }

  @Test func `curl can upload a multipart form to the sandbox and gets status 100 first`() async throws {
    try await withSandbox { sandbox in
      let (bytes, status) = try Curl.run([
        "-H", "Expect: 100-continue", "-F", "caption=Front cover", "-F", "image=@/etc/hostname;type=text/x-host",
        "\(sandbox.url)/multipart",
      ])
      #expect(status == 0)
      let json = try JSONValue(parsing: bytes)
      #expect(json["parts"]?[0]?["text"] == "Front cover")
      #expect(json["parts"]?[1]?["type"] == "text/x-host")
    }
  }

  /// curl offers HTTP/2 by an upgrade that the server ignores. The response must end the
  /// connection, because NIO reads no further request after an offered upgrade.
  @Test func `the sandbox ignores an offered upgrade to HTTP/2`() async throws {
    try await withSandbox { sandbox in
      let (bytes, status) = try Curl.run(["--http2", "\(sandbox.url)/get", "\(sandbox.url)/get"])
      #expect(status == 0)
      #expect(String(decoding: bytes, as: UTF8.self).split(separator: "\n").count == 2)
    }
  }
}

enum Curl {
  /// Runs curl without progress output. Returns its output and exit status.
  static func run(_ arguments: [String]) throws -> (bytes: [UInt8], status: Int32) {
    let result = try ChildProcess.runBlocking("/usr/bin/env", ["curl", "--silent", "--max-time", "20"] + arguments)
    return (result.outputBytes, result.status)
  }
}
