import Dispatch
import FoundationEssentials
import GarlandNetworking
import HTTPTypes
import TestSupport
import Testing

/// Tests multipart responses of a session, part by part, over sockets.
@Suite(.timeLimit(.minutes(15))) struct PartStreamTests {
  private static let two = "--b\r\nContent-Type: image/png\r\nX: 1\r\n\r\none\r\n--b\r\n\r\ntwo\r\n--b--\r\n"

  /// Returns a server that sends these parts. It then closes the connection, unless it hangs.
  private static func server(
    _ body: String, type: String = "multipart/x-mixed-replace; boundary=b", status: String = "200 OK", hangs: Bool = false
  ) throws -> RawServer {
    try RawServer { connection in
      _ = connection.readHead()
      connection.send("HTTP/1.1 \(status)\r\nContent-Type: \(type)\r\nConnection: close\r\n\r\n" + body)
      if hangs { connection.readToEnd() }
    }
  }

  private static func text(_ part: ResponsePart) -> String { String(decoding: part.bytes ?? [], as: UTF8.self) }

  private static func parts(_ stream: PartStream) async throws -> [String] {
    var parts: [String] = []
    for try await part in stream { parts.append(text(part)) }
    return parts
  }

  private static func kind(_ body: () async throws -> Void) async -> NetworkingError.Kind? {
    do {
      try await body()
      return nil
    } catch {
      return (error as? NetworkingError)?.reason.kind
    }
  }

  @Test func `each part of a multipart stream has its number, header fields and bytes`() async throws {
    let server = try Self.server(Self.two)
    var parts: [ResponsePart] = []
    for try await part in Session(.ephemeral).partStream(server.url) { parts.append(part) }
    #expect(parts.map(\.index) == [0, 1])
    #expect(parts.map(Self.text) == ["one", "two"])
    #expect(parts[0].headerFields[.contentType] == "image/png")
    #expect(parts[1].headerFields.isEmpty && parts[1].file == nil)
  }

  @Test func `each part of a multipart stream is delivered while the response is still arriving`() async throws {
    let hasFirst = DispatchSemaphore(value: 0)
    let server = try RawServer { connection in
      _ = connection.readHead()
      connection.send("HTTP/1.1 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=b\r\n\r\n--b\r\n\r\none\r\n--b\r\n")
      hasFirst.wait()
      connection.send("\r\ntwo\r\n--b--\r\n")
      connection.readToEnd()
    }
    var parts: [String] = []
    for try await part in Session(.ephemeral).partStream(server.url) {
      parts.append(Self.text(part))
      hasFirst.signal()
    }
    #expect(parts == ["one", "two"])
  }

  @Test func `if the caller leaves the loop over the parts of a multipart stream, the connection is closed`() async throws {
    let (closed, isClosed) = AsyncStream.makeStream(of: Void.self)
    let server = try RawServer { connection in
      _ = connection.readHead()
      connection.send("HTTP/1.1 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=b\r\n\r\n--b\r\n\r\none\r\n--b\r\n")
      connection.readToEnd()
      isClosed.finish()
    }
    for try await _ in Session(.ephemeral).partStream(server.url) { break }
    // The loop ends when the connection ends.
    for await _ in closed {}
  }

  @Test func `a part of a multipart stream can be saved as a file with the name from its header`() async throws {
    let folder = try TemporaryFolder()
    let server = try Self.server(
      "--b\r\nContent-Disposition: attachment; filename=a.txt\r\n\r\none\r\n--b\r\n\r\ntwo\r\n--b--")
    let stream = Session(.ephemeral).partStream(server.url).onPart { part in
      part.index == 0 ? .becomeDownload(DownloadTarget(path: folder.path, name: .suggested)) : .allow
    }
    var parts: [ResponsePart] = []
    for try await part in stream { parts.append(part) }
    #expect(parts.map(\.file) == ["\(folder.path)/a.txt", nil])
    #expect(parts[1].bytes == Array("two".utf8))
    #expect(try folder.read("a.txt") == Array("one".utf8))
  }

  @Test func `if a part of a multipart stream is incomplete, its partial file is deleted`() async throws {
    let folder = try TemporaryFolder()
    let server = try Self.server("--b\r\n\r\none")
    let stream = Session(.ephemeral).partStream(server.url).onPart { _ in .becomeDownload(DownloadTarget(path: folder.path + "/a")) }
    #expect(await Self.kind { _ = try await Self.parts(stream) } == .truncated)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  @Test func `the error of an incomplete part of a multipart stream contains the number of bytes that arrived`() async throws {
    let server = try Self.server("--b\r\n\r\none")
    do throws(NetworkingError) {
      for try await _ in Session(.ephemeral).partStream(server.url, headers: ["X-Request-ID": "7"]) {}
      Issue.record("it is complete")
    } catch {
      #expect(error.reason == .truncated(received: 10, expected: nil))
    }
  }

  @Test func `the closure for the parts of a multipart stream can cancel the request`() async throws {
    let server = try Self.server(Self.two)
    var parts: [String] = []
    let kind = await Self.kind {
      for try await part in Session(.ephemeral).partStream(server.url).onPart({ $0.index == 0 ? .allow : .cancel }) {
        parts.append(Self.text(part))
      }
    }
    #expect(parts == ["one"])
    #expect(kind == .cancelled)
  }

  @Test(
    arguments: [
      (Self.two, "text/html", "200 OK", .validation), (Self.two, "multipart/mixed; boundary=b", "404 Not Found", .validation),
      (Self.two, "multipart/x-mixed-replace", "200 OK", .invalidResponse),
      ("--b\r\nA\r\n\r\n", "multipart/mixed; boundary=b", "200 OK", .invalidResponse),
      (Self.two, "multipart/mixed; boundary=c", "200 OK", .invalidResponse),
      ("", "multipart/mixed; boundary=b", "200 OK", .invalidResponse),
      ("--b\r\nContent-Length: 1\r\n\r\n22\r\n--b--", "multipart/mixed; boundary=b", "200 OK", .invalidResponse),
      ("--b\r\nA: \(String(repeating: "x", count: 70_000))", "multipart/mixed; boundary=b", "200 OK", .headerTooLarge),
    ] as [(String, String, String, NetworkingError.Kind)])
  func `if a multipart response has an unexpected status or type or an invalid part, reading its parts throws an error`(
    _ body: String, _ type: String, _ status: String, _ kind: NetworkingError.Kind
  ) async throws {
    let server = try Self.server(body, type: type, status: status)
    #expect(await Self.kind { _ = try await Self.parts(Session(.ephemeral).partStream(server.url)) } == kind)
  }

  @Test func `if a part of a multipart stream never ends, it is refused as soon as it exceeds the size limit`() async throws {
    let server = try RawServer { connection in
      _ = connection.readHead()
      connection.send("HTTP/1.1 200 OK\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\n")
      while connection.send(Array(repeating: 0, count: 1 << 20)) {}
    }
    #expect(await Self.kind { _ = try await Self.parts(Session(.ephemeral).partStream(server.url)) } == .bodyTooLarge)
  }

  @Test(arguments: ["gzip", "br", "zstd"]) func `a compressed multipart stream is decoded`(_ coding: String) async throws {
    let body = try ContentEncoder.encoded(coding, Array(Self.two.utf8))
    let server = try RawServer { connection in
      _ = connection.readHead()
      connection.send(
        "HTTP/1.1 200 OK\r\nContent-Type: multipart/mixed; boundary=b\r\nContent-Encoding: \(coding)\r\nConnection: close\r\n\r\n")
      for byte in body { connection.send([byte]) }
    }
    #expect(try await Self.parts(Session(.ephemeral).partStream(server.url)) == ["one", "two"])
  }
}
