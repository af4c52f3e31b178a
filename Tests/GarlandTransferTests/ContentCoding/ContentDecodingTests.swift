import GarlandSandbox
import TestSupport
import Testing

@testable import GarlandTransfer

/// Content encoded by other programs, in pieces of every size, complete and truncated.
@Suite("Content codings", .timeLimit(.minutes(15)))
struct ContentDecodingTests {
  static let text = Array((0..<3_000).map { "line \($0) of a text that repeats itself\n" }.joined().utf8)

  static func encoded(_ coding: String, _ bytes: [UInt8]) throws -> [UInt8] { try ContentEncoder.encoded(coding, bytes) }

  static func decode(_ bytes: [UInt8], _ field: String, pieces: Int) throws(ContentCodingError) -> (bytes: [UInt8], isComplete: Bool) {
    guard let decoding = try ContentDecoding(field) else { return (bytes, true) }
    var found: [UInt8] = []
    var start = 0
    while start < bytes.count {
      let piece = bytes[start..<min(bytes.count, start + pieces)]
      let result: Result<Void, ContentCodingError> = piece.withUnsafeBytes { piece in
        do throws(ContentCodingError) {
          try decoding.decode(piece, until: { false }) { found.append(contentsOf: $0) }
          return .success(())
        } catch {
          return .failure(error)
        }
      }
      try result.get()
      start += pieces
    }
    return (found, decoding.isComplete)
  }

  @Test(
    arguments: [
      ("gzip", "gzip"), ("members", "x-gzip"), ("deflate", "deflate"), ("raw", "deflate"), ("gzip", " GZIP , identity"), ("br", "br"),
      ("zstd", "zstd"),
    ])
  func `a compressed body in pieces of any size is decoded, and a truncated body is reported as incomplete`(
    _ coding: String, _ field: String
  ) throws {
    let encoded = try Self.encoded(coding, Self.text)
    #expect(encoded.count > 100)
    for size in [1, 7, 1_000, 1 << 20] {
      let result = try Self.decode(encoded, field, pieces: size)
      #expect(result.bytes == Self.text && result.isComplete, "\(coding) in pieces of \(size)")
    }
    for end in [encoded.count - 1, encoded.count / 2, 20] {
      guard coding != "members" || end > 200 else { continue }
      let result = try Self.decode(Array(encoded[..<end]), field, pieces: 1_000)
      #expect(!result.isComplete, "\(coding), cut off at \(end)")
    }
  }

  @Test func `if a body has two content codings, the coding that was applied last is decoded first`() throws {
    let encoded = try Self.encoded("gzip", Self.encoded("deflate", Self.text))
    let result = try Self.decode(encoded, "deflate, gzip", pieces: 100)
    #expect(result.bytes == Self.text && result.isComplete)
  }

  @Test func `Brotli and Zstandard streams are decoded`() throws {
    // "Hello" in each coding, uncompressed (RFC 7932, section 9.2; RFC 8878, section 3.1.1).
    let brotli: [UInt8] = [0x0b, 0x02, 0x80, 0x48, 0x65, 0x6c, 0x6c, 0x6f, 0x03]
    #expect(try Self.decode(brotli, "br", pieces: 2).bytes == Array("Hello".utf8))
    #expect(try Self.decode(brotli, "br", pieces: 2).isComplete)
    #expect(try !Self.decode(Array(brotli.dropLast(2)), "br", pieces: 2).isComplete)
    let zstd: [UInt8] = [0x28, 0xb5, 0x2f, 0xfd, 0x20, 0x05, 0x29, 0x00, 0x00, 0x48, 0x65, 0x6c, 0x6c, 0x6f]
    #expect(try Self.decode(zstd, "zstd", pieces: 3).bytes == Array("Hello".utf8))
    #expect(try Self.decode(zstd, "zstd", pieces: 3).isComplete)
    #expect(try !Self.decode(Array(zstd.dropLast(2)), "zstd", pieces: 3).isComplete)
  }

  @Test(arguments: ["gzip", "deflate", "br", "zstd", "gzip, br"])
  func `random bytes can't be decoded as a compressed body`(_ field: String) throws {
    var generator = SystemRandomNumberGenerator()
    for length in [1, 2, 3, 10, 100, 5_000] {
      let garbage = (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
      // Decoding ends with an error, incomplete, or (very rarely) with a result.
      _ = try? Self.decode(garbage, field, pieces: 64)
    }
    #expect(throws: ContentCodingError.self) { try Self.decode([UInt8](repeating: 0xFF, count: 64), field, pieces: 64) }
  }

  @Test func `a Content-Encoding with an unknown coding, or with more than five codings, is refused`() {
    #expect(throws: ContentCodingError.self) { try ContentDecoding("compress") }
    #expect(throws: ContentCodingError.self) { try ContentDecoding("gzip, gzip, gzip, gzip, gzip, gzip") }
    #expect((try? ContentDecoding("identity")).flatMap { $0 } == nil)
  }

  @Test(arguments: ["truncated", "garbage", "checksum"])
  func `a broken gzip body from a server gives a decoding error`(_ kind: String) async throws {
    let sandbox = try await Sandbox.start()
    let engine = Engine()
    do {
      let response = try await engine.response(for: TransferRequest(url: "\(sandbox.url)/fault/bad-gzip?kind=\(kind)"))
      Issue.record("\(response.bytes.count) bytes were taken for the whole body")
    } catch {
      guard case .undecodable = error.reason else {
        Issue.record("\(error)")
        return
      }
    }
    let good = try await engine.response(for: TransferRequest(url: "\(sandbox.url)/gzip"))
    #expect(good.bytes.first == UInt8(ascii: "{"))
    engine.shutDown()
    await sandbox.stop()
  }

  @Test func `the decoding of a decompression bomb stops at the body limit`() async throws {
    let sandbox = try await Sandbox.start()
    let engine = Engine()
    var request = TransferRequest(url: "\(sandbox.url)/fault/gzip-bomb")
    request.settings.maximumBodyBytes = 1_000_000
    do {
      _ = try await engine.response(for: request)
      Issue.record("the limit does not hold")
    } catch {
      guard case .bodyTooLarge(limit: 1_000_000) = error.reason else {
        Issue.record("\(error)")
        return
      }
    }
    engine.shutDown()
    await sandbox.stop()
  }
}
