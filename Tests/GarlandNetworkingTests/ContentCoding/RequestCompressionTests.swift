import GarlandJSON
import Glibc
import HTTPTypes
import TestSupport
import Testing
import TransferTestSupport

@testable import GarlandNetworking
@testable import GarlandTransfer

/// Tests compressed request content, which other programs decompress.
@Suite(.timeLimit(.minutes(15))) struct RequestCompressionTests {
  let engine = Engine()

  /// A request that a server received.
  struct Received: Sendable {
    var head: String
    var body: [UInt8]
  }

  /// Creates a server that reads content with a length or in chunks, and answers 200.
  private static func server(_ seen: Collected<Received>, _ answer: @escaping @Sendable (String) -> String? = { _ in nil }) throws
    -> RawServer
  {
    try RawServer { connection in
      while true {
        let head = connection.readHead()
        if head.isEmpty { return }
        var body: [UInt8] = []
        if let line = head.split(separator: "\r\n").first(where: { $0.hasPrefix("Content-Length: ") }) {
          body = connection.read(Int(line.dropFirst(16)) ?? 0)
        } else if head.contains("Transfer-Encoding: chunked") {
          while true {
            var line: [UInt8] = []
            while let byte = connection.read(1).first, byte != 10 { line.append(byte) }
            guard let size = Int(String(decoding: line, as: UTF8.self).filter { $0 != "\r" }, radix: 16) else { return }
            body += connection.read(size)
            _ = connection.read(2)
            if size == 0 { break }
          }
        }
        seen.add(Received(head: head, body: body))
        connection.send(answer(head) ?? "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
      }
    }
  }

  /// Decompresses bytes with Python's zlib, which is strict about bytes after the end.
  private static func undone(_ bytes: [UInt8], _ coding: RequestCompression.Coding) async throws -> [UInt8] {
    let script = """
      import sys, zlib
      d = zlib.decompressobj(31 if sys.argv[1] == "gzip" else 15)
      out = d.decompress(sys.stdin.buffer.read())
      assert d.eof and not d.unused_data
      sys.stdout.buffer.write(out)
      """
    let result = try await ChildProcess.run("/usr/bin/python3", ["-c", script, coding.rawValue], input: bytes)
    #expect(result.status == 0, "\(result.error)")
    return result.outputBytes
  }

  private func put(_ url: String, _ body: TransferBody, _ compression: RequestCompression) -> TransferRequest {
    var request = TransferRequest(url: url, method: .put, body: body)
    request.compression = compression
    request.settings.expectContinue = .never
    return request
  }

  private static let text = Array((0..<40_000).map { "line \($0 % 977) of a text that repeats itself\n" }.joined().utf8)

  @Test(arguments: RequestCompression.Coding.allCases)
  func `a compressed body in memory is sent with a Content-Length only if it had at most 64 KiB before compression`(
    _ coding: RequestCompression.Coding
  ) async throws {
    let seen = Collected<Received>()
    let server = try Self.server(seen)
    for (size, isAnnounced) in [(0, true), (1, true), (5000, true), (64 << 10, true), (64 << 10 + 1, false), (Self.text.count, false)] {
      let bytes = Array(Self.text[..<min(size, Self.text.count)])
      let response = try await engine.response(for: put(server.url, .bytes(bytes), RequestCompression(coding)))
      #expect(response.status == .ok)
      let received = try #require(seen.all.last)
      #expect(received.head.contains("Content-Encoding: \(coding.rawValue)\r\n"))
      #expect(received.head.contains("Content-Length: ") == isAnnounced, "\(size)")
      #expect(try await Self.undone(received.body, coding) == bytes, "\(size)")
      #expect(size < 5000 || received.body.count < size / 4)
      #expect(response.request.headerFields[.contentEncoding] == coding.rawValue)
    }
  }

  @Test(arguments: RequestCompression.Coding.allCases, [false, true])
  func `request bodies from files, streams and forms are compressed, with or without a Content-Length`(
    _ coding: RequestCompression.Coding, _ isAnnounced: Bool
  )
    async throws
  {
    let seen = Collected<Received>()
    let server = try Self.server(seen)
    let folder = try TemporaryFolder()
    let path = try folder.write("text", Self.text)
    let stream = BodyStream {
      AsyncStream { continuation in
        for start in stride(from: 0, to: Self.text.count, by: 7001) {
          continuation.yield(Array(Self.text[start..<min(start + 7001, Self.text.count)]))
        }
        continuation.finish()
      }
    }
    var form = MultipartFormData(boundary: "b")
    form.append(file: path, name: "f", fileName: "f.txt", contentType: "text/plain")
    let whole =
      Array("--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"f.txt\"\r\nContent-Type: text/plain\r\n\r\n".utf8) + Self.text
    let compression = RequestCompression(coding, level: 1, announcesLength: isAnnounced)
    for (body, expected) in [
      (TransferBody.file(path: path), Self.text), (.file(path: path, offset: 100, length: 100_000), Array(Self.text[100..<100_100])),
      (.stream(stream), Self.text), (.multipart(form), whole + Array("\r\n--b--\r\n".utf8)),
    ] {
      #expect(try await engine.response(for: put(server.url, body, compression)).status == .ok)
      let received = try #require(seen.all.last)
      #expect(received.head.contains("Content-Length: ") == isAnnounced)
      #expect(received.head.contains("Transfer-Encoding: chunked") != isAnnounced)
      #expect(try await Self.undone(received.body, coding) == expected)
    }
    #expect(seen.all.last?.head.contains("Content-Type: multipart/form-data; boundary=b\r\n") == true)
  }

  @Test func `a higher compression level makes a smaller body`() async throws {
    let seen = Collected<Received>()
    let server = try Self.server(seen)
    var generator = SeededRandom(seed: 5)
    let words = (0..<200).map { _ in String(UInt32.random(in: 0...UInt32.max, using: &generator), radix: 36) + " " }
    let text = Array((0..<8000).map { _ in words[Int.random(in: 0..<200, using: &generator)] }.joined().utf8)
    for level in [1, 9, 0, 99] {
      _ = try await engine.response(for: put(server.url, .bytes(text), RequestCompression(.gzip, level: level)))
    }
    let sizes = seen.all.map(\.body.count)
    #expect(sizes[0] > sizes[1])
    #expect(sizes[2] == sizes[0])
    #expect(sizes[3] == sizes[1])
  }

  @Test func `a compressed body is sent again after a 307 and dropped after a 303`() async throws {
    let seen = Collected<Received>()
    let server = try Self.server(seen) { head in
      let status = head.contains(" /307 ") ? 307 : head.contains(" /303 ") ? 303 : 200
      return status == 200 ? nil : "HTTP/1.1 \(status) Off\r\nLocation: /there\r\nContent-Length: 0\r\n\r\n"
    }
    let folder = try TemporaryFolder()
    let body = TransferBody.file(path: try folder.write("text", Self.text))
    #expect(try await engine.response(for: put(server.url + "/307", body, RequestCompression(.gzip))).status == .ok)
    #expect(seen.all.count == 2)
    #expect(seen.all.first?.body == seen.all.last?.body)
    #expect(try await engine.response(for: put(server.url + "/303", body, RequestCompression(.gzip))).status == .ok)
    #expect(seen.all.last?.head.contains("Content-Encoding") == false)
    #expect(seen.all.last?.body == [])
  }

  @Test func `if the caller sets Content-Encoding, the compression of the request body adds its coding to the field`() async throws {
    let seen = Collected<Received>()
    let server = try Self.server(seen)
    let session = Session(.ephemeral)
    let sent = session.upload(Array("text".utf8), to: server.url, headers: [.contentEncoding: "aes128gcm"]).compress(.deflate)
    #expect(await sent.response().status == 200)
    #expect(seen.all.last?.head.contains("Content-Encoding: aes128gcm, deflate\r\n") == true)
    // A request without content has nothing to compress.
    #expect(await session.request(server.url).compress(.gzip).response().status == 200)
    #expect(seen.all.last?.head.contains("Content-Encoding") == false)
  }

  @Test func `the compression of a request body fails with an upload error if the body cannot be read`() async throws {
    let server = try Self.server(Collected())
    let missing = await #expect(throws: NetworkingError.self) {
      try await engine.response(for: put(server.url, .file(path: "/nowhere/at/all"), RequestCompression(.gzip)))
    }
    #expect(missing?.reason.kind == .upload)
    let once = BodyStream(isRepeatable: false) { AsyncStream<[UInt8]> { $0.finish() } }
    let unknown = await #expect(throws: NetworkingError.self) {
      try await engine.response(for: put(server.url, .stream(once), RequestCompression(.gzip, announcesLength: true)))
    }
    #expect(unknown?.reason.kind == .upload, "\(String(describing: unknown))")
    for announcesLength in [false, true] {
      let broken = BodyStream {
        AsyncThrowingStream<[UInt8], any Error> {
          $0.yield([1, 2]); $0.finish(throwing: CancellationError())
        }
      }
      let error = await #expect(throws: NetworkingError.self) {
        try await engine.response(for: put(server.url, .stream(broken), RequestCompression(.gzip, announcesLength: announcesLength)))
      }
      #expect(error?.reason.kind == .upload)
    }
  }

  /// Apache's mod_deflate decompresses the body on its way to httpbin.
  @Test func `Apache decompresses a request body that was compressed with gzip`() async throws {
    let url = try ApacheServer.shared().url + "/inflating/post"
    let session = Session(.ephemeral)
    let folder = try TemporaryFolder()
    let path = try folder.write("text", Self.text)
    let echo = try await session.upload(file: path, to: url).compress(.gzip).validate().json
    #expect(echo["data"]?.stringValue?.utf8.elementsEqual(Self.text) == true)
    let form = try await session.upload(to: url) { $0.append(file: path, name: "f") }.compress(.gzip).validate().json
    #expect(form["files"]?["f"]?.stringValue?.utf8.elementsEqual(Self.text) == true)
    // A body that is not gzip is refused.
    let broken = session.upload(Array("text".utf8), to: url, headers: [.contentEncoding: "gzip"])
    #expect(await broken.response().status ?? 0 >= 400)
  }

  @Test(arguments: RequestCompression.Coding.allCases)
  func `if a request compresses its body, the curl command of the request compresses and sends the same body`(
    _ coding: RequestCompression.Coding
  ) async throws {
    let seen = Collected<Received>()
    let server = try Self.server(seen)
    let folder = try TemporaryFolder()
    let path = try folder.write("text", Self.text)
    for body in [TransferBody.bytes(Array("it's \\ 100%\n".utf8)), .file(path: path)] {
      let request = put(server.url, body, RequestCompression(coding))
      let shell = try #require(popen("{ \(request.cURLDescription); } >/dev/null 2>&1", "w"))
      #expect(pclose(shell) == 0)
      let received = try #require(seen.all.last)
      #expect(received.head.contains("Content-Encoding: \(coding.rawValue)\r\n"))
      if case .bytes(let bytes) = body {
        #expect(try await Self.undone(received.body, coding) == bytes)
      } else {
        #expect(try await Self.undone(received.body, coding) == Self.text)
      }
    }
  }
}
