import Glibc
import GarlandNetworking
import HTTPTypes
import TestSupport
import Testing
import TransferTestSupport

/// Tests URLs with the schemes `file` and `data`.
@Suite(.timeLimit(.minutes(15))) struct LocalTests {
  let folder: TemporaryFolder
  let session = Session(.ephemeral)

  init() throws { folder = try TemporaryFolder() }

  @Test func `a request with a data URL returns its content and media type`() async throws {
    let request = session.request("data:application/json;base64,eyJhIjoxfQ==").validate()
    #expect(try await request.json == ["a": 1])
    let response = try #require(request.response)
    #expect(response.status == .ok)
    #expect(response.version == .data)
    #expect(response.headerFields[.contentType] == "application/json")
    #expect(response.headerFields[.contentLength] == "7")
    #expect(response.metrics.transactions.count == 1)
    #expect(try await session.request("data:,hello%20world").validate().string == "hello world")
    #expect(await session.request("data:;base64,*").response().error?.reason.kind == .invalidRequest)
    var pieces: [UInt8] = []
    for try await piece in session.stream("data:,abc").validate() { pieces += piece }
    #expect(pieces == Array("abc".utf8))
    let head = await session.request("data:,abc", method: .head).response()
    #expect(head.data.isEmpty && head.response?.headerFields[.contentLength] == "3")
  }

  @Test func `a request with a file URL returns the content and media type of the file`() async throws {
    let bytes = (0..<1_500_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
    let path = try folder.write("a b.json", bytes)
    let url = "file://" + path.replacing(" ", with: "%20")
    let request = session.request(url).validate()
    #expect(try await request.data == bytes)
    let response = try #require(request.response)
    #expect(response.version == .file)
    #expect(response.headerFields[.contentType] == "application/json")
    #expect(response.headerFields[.contentLength] == "1500000")
    #expect(response.metrics.transactions.last?.responseBodyBytes == 1_500_000)

    let target = DownloadTarget(path: folder.path + "/copy", computesDigest: true, partial: .kept)
    #expect(try await session.download(url, to: target).validate().data == bytes)
    #expect(folder.names == ["a b.json", "copy"])
    let empty = try folder.write("empty", "")
    #expect(
      try await session.request("file://" + empty).validate().response(with: DataResponseSerializer(requiresContent: false)).value == [])
    let head = await session.request(url, method: .head).response()
    #expect(head.error == nil && head.data.isEmpty)
  }

  @Test func `a stream of a file URL delivers all bytes of the file, even if the caller reads the stream slowly`() async throws {
    let bytes = [UInt8](repeating: 9, count: 3_000_000)
    let path = try folder.write("big", bytes)
    let request = session.stream("file://" + path).validate()
    var count = 0
    var isFirst = true
    for try await piece in request {
      if isFirst {
        isFirst = false
        request.suspend()
        request.resume()
      }
      count += piece.count
      await Task.yield()
    }
    #expect(count == bytes.count)
    // Leaving the loop early ends the stream.
    for try await _ in session.stream("file://" + path).validate() { break }
  }

  /// An engine that only reads files needs no libcurl, and still releases what it has read.
  @Test func `after a request with a file URL has finished, the engine releases the closures of the request from memory`() async throws {
    final class Mark: Sendable {}
    let path = try folder.write("big", [UInt8](repeating: 9, count: 3_000_000))
    let engine = Engine()
    var mark: Mark? = Mark()
    weak let left = mark
    let steps = Collected<Int64>()
    let response = try await engine.response(for: TransferRequest(url: "file://" + path)) { [mark] progress in
      withExtendedLifetime(mark) { steps.add(progress.received) }
    }
    #expect(response.bytes.count == 3_000_000)
    #expect(steps.all.last == 3_000_000)
    mark = nil
    while left != nil { await Task.yield() }
  }

  @Test func `a file or data URL that cannot be read is an error`() async throws {
    let missing = await session.request("file://" + folder.path + "/nothing").response()
    guard case .file(let file)? = missing.error?.reason else {
      Issue.record("\(String(describing: missing.error))")
      return
    }
    #expect(file.operation == .open && file.detail == "No such file or directory")
    #expect(await session.request("file://" + folder.path).response().error?.reason.kind == .file)
    mkfifo(folder.path + "/pipe", 0o600)
    #expect(await session.request("file://" + folder.path + "/pipe").response().error?.reason.kind == .file)
    let path = try folder.write("x", "x")
    #expect(await session.request("file://" + path, method: .post).response().error?.reason.kind == .unsupported)
    #expect(await session.upload([1], to: "data:,x").response().error?.reason.kind == .unsupported)
    let small = await session.request("file://" + path, modify: { $0.settings.maximumBodyBytes = 0 }).response()
    #expect(small.error?.reason == .bodyTooLarge(limit: 0))
    #expect(await session.request("gopher://h/").response().error?.reason.kind == .invalidRequest)
  }

  @Test func `a redirect from HTTP to a file, data or FTP URL is refused`() async throws {
    let path = try folder.write("secret", "secret")
    for target in ["file://" + path, "data:,x", "ftp://127.0.0.1/x"] {
      let server = try PlainServer("HTTP/1.1 302 Found\r\nLocation: \(target)\r\nContent-Length: 0\r\n\r\n")
      let response = await session.request(server.url).response()
      guard case .redirect? = response.error?.reason else {
        Issue.record("\(String(describing: response.error))")
        continue
      }
    }
  }

  @Test func `forty requests for 'file:' URLs can run concurrently while some of them are cancelled`() async throws {
    let paths = try (0..<40).map { try folder.write("f\($0)", "content \($0)") }
    let requests = paths.map { session.request("file://" + $0).validate().resume() }
    for (index, request) in requests.enumerated() {
      if index % 7 == 3 {
        request.cancel()
        _ = await request.response()
      } else {
        #expect(try await request.string == "content \(index)")
      }
    }
  }
}
