import GarlandCrypto
import GarlandJSON
import GarlandText
import Testing

@testable import GarlandSandbox

@Suite struct BytesTests {
  @Test func `each byte of a response of the sandbox's byte routes depends only on the seed and the offset`() async throws {
    try await withSandbox { sandbox in
      let expected = PatternBytes(seed: 3).bytes(0..<200_000)
      #expect(try sandbox.get("/bytes/200000?seed=3").body == expected)
      #expect(try sandbox.get("/bytes/100?seed=3").body == Array(expected[..<100]))
      #expect(try sandbox.get("/bytes/100?seed=4").body != Array(expected[..<100]))
      let chunked = try sandbox.get("/stream-bytes/200000?seed=3")
      #expect(chunked.body == expected)
      #expect(chunked.chunks > 1)
      #expect(chunked.first("Content-Length") == nil)
      #expect(try sandbox.get("/bytes/200000?seed=3&chunked=1").chunks > 1)
      let digest = try Base64.encode(Digest(of: expected, using: .sha256).bytes)
      #expect(try sandbox.get("/bytes/200000?seed=3&digest=1").first("Repr-Digest") == "sha-256=:\(digest):")
      #expect(try sandbox.get("/bytes/0").body.isEmpty)
      #expect(try sandbox.get("/stream-bytes/0").body.isEmpty)
      #expect(try sandbox.get("/bytes/-1").status == 400)
      #expect(try sandbox.request("HEAD", "/bytes/5000000000").first("Content-Length") == "5000000000")
    }
  }

  @Test func `a range of the sandbox's pseudorandom bytes is the same if only this range is generated`() {
    let pattern = PatternBytes(seed: 11)
    let all = pattern.bytes(0..<200_000)
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<200 {
      let start = Int.random(in: 0..<200_000, using: &generator)
      let end = Int.random(in: start...200_000, using: &generator)
      #expect(pattern.bytes(UInt64(start)..<UInt64(end)) == Array(all[start..<end]))
    }
    #expect(all[0..<65_536] != all[65_536..<131_072], "blocks differ")
  }

  @Test func `a client can disconnect after three megabytes of a gigabyte response`() async throws {
    try await withSandbox { sandbox in
      let client = try sandbox.connection("/bytes/1000000000")
      #expect(client.drain(upTo: 3_000_000) >= 3_000_000)
    }
  }

  static let rangeCases: [(String, Int, String?, Int)] = [
    ("bytes=0-9", 206, "bytes 0-9/1000", 10), ("bytes=990-", 206, "bytes 990-999/1000", 10), ("bytes=-5", 206, "bytes 995-999/1000", 5),
    ("bytes=-5000", 206, "bytes 0-999/1000", 1_000), ("bytes=0-5000", 206, "bytes 0-999/1000", 1_000),
    ("BYTES=1-1", 206, "bytes 1-1/1000", 1), ("bytes=1000-", 416, "bytes */1000", 0), ("bytes=-0", 416, "bytes */1000", 0),
    ("bytes=5-2", 200, nil, 1_000), ("bytes=0-1,5-6", 200, nil, 1_000), ("items=0-1", 200, nil, 1_000), ("bytes=a-b", 200, nil, 1_000),
    ("bytes=-", 200, nil, 1_000), ("bytes=99999999999999999999999-", 416, "bytes */1000", 0),
    ("bytes=0-99999999999999999999999", 206, "bytes 0-999/1000", 1_000),
  ]

  @Test(arguments: rangeCases)
  func `the sandbox responds to each Range header with the range, the whole body or status 416, as RFC 9110 requires`(
    field: String, status: Int, contentRange: String?, size: Int
  ) async throws {
    try await withSandbox { sandbox in
      let response = try sandbox.get("/range/1000", ["Range: \(field)"])
      #expect(response.status == status)
      #expect(response.first("Content-Range") == contentRange)
      if status != 416 {
        #expect(response.body.count == size)
        let all = PatternBytes(seed: 1).bytes(0..<1_000)
        let start = contentRange.flatMap { Int($0.dropFirst(6).prefix { $0.isNumber }) } ?? 0
        #expect(response.body == Array(all[start..<start + size]))
      }
    }
  }

  @Test func `the sandbox sends a range only if the validator in If-Range still matches`() async throws {
    try await withSandbox { sandbox in
      let etag = try #require(try sandbox.get("/range/100").first("ETag"))
      #expect(try sandbox.get("/range/100", ["Range: bytes=0-1", "If-Range: \(etag)"]).status == 206)
      #expect(try sandbox.get("/range/100?etag=new", ["Range: bytes=0-1", "If-Range: \(etag)"]).status == 200)
      #expect(try sandbox.get("/range/100", ["Range: bytes=0-1", "If-Range: Wed, 01 Jan 2025 00:00:00 GMT"]).status == 206)
      #expect(try sandbox.get("/range/100?ranges=0", ["Range: bytes=0-1"]).status == 200)
      #expect(try sandbox.get("/range/100", ["If-None-Match: \(etag)"]).status == 304)
      #expect(try sandbox.request("HEAD", "/range/100", ["Range: bytes=0-1"]).first("Content-Length") == "100")
    }
  }

  @Test func `the entity tag or date of a conditional request decides whether its status is 200, 304 or 412`() async throws {
    try await withSandbox { sandbox in
      #expect(try sandbox.get("/etag/abc").first("ETag") == "\"abc\"")
      #expect(try sandbox.get("/etag/abc", ["If-None-Match: \"x\", W/\"abc\""]).status == 304)
      #expect(try sandbox.get("/etag/abc", ["If-None-Match: \"x\""]).status == 200)
      #expect(try sandbox.request("PUT", "/etag/abc", ["If-Match: \"x\""]).status == 412)
      #expect(try sandbox.request("PUT", "/etag/abc", ["If-Match: W/\"abc\""]).status == 412, "If-Match compares strongly")
      #expect(try sandbox.request("PUT", "/etag/abc", ["If-Match: \"abc\""]).status == 200)
      #expect(try sandbox.request("PUT", "/etag/abc", ["If-None-Match: *"]).status == 412)
      #expect(try sandbox.get("/cache").status == 200)
      #expect(try sandbox.get("/cache", ["If-Modified-Since: Wed, 01 Jan 2025 00:00:00 GMT"]).status == 304)
      #expect(try sandbox.get("/cache", ["If-Modified-Since: Tue, 31 Dec 2024 23:59:59 GMT"]).status == 200)
      #expect(try sandbox.get("/cache", ["If-Unmodified-Since: Tue, 31 Dec 2024 23:59:59 GMT"]).status == 412)
      let fresh = try sandbox.get("/cache/60?vary=Accept")
      #expect(fresh.first("Cache-Control") == "public, max-age=60")
      #expect(fresh.first("Vary") == "Accept")
      #expect(try sandbox.get("/cache/60", ["If-None-Match: \"cache-60\""]).status == 304)
    }
  }

  @Test func `a response that the sandbox delays or sends slowly arrives complete after the requested time`() async throws {
    try await withSandbox { sandbox in
      let delayed = try sandbox.get("/delay/0.05")
      #expect(delayed.json["method"] == "GET")
      let record = try #require(sandbox.records.last)
      #expect(try #require(record.finished) - record.arrived >= .milliseconds(50))
      #expect(try sandbox.get("/delay/11").status == 400)
      #expect(try sandbox.get("/delay/nan").status == 400)
      let drip = try sandbox.get("/drip?bytes=5&duration=0.05&delay=0.01&status=201")
      #expect(drip.status == 201)
      #expect(drip.text == "*****")
      #expect(try sandbox.get("/drip?bytes=100000&duration=0").body.count == 100_000)
      #expect(try sandbox.get("/drip?bytes=0").body.isEmpty)
    }
  }
}
