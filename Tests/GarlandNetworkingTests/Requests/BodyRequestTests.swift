import FoundationEssentials
import GarlandJSON
import GarlandNetworking
import GarlandSandbox
import HTTPTypes
import Synchronization
import TestSupport
import Testing
import TransferTestSupport

/// Tests uploads, downloads and streams.
@Suite(.timeLimit(.minutes(15))) struct BodyRequestTests {
  @Test func `bytes, files, streams and forms can be uploaded`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("a.json", Array("{\"a\": 1}".utf8))
    try await withSandbox { (session, sandbox) async throws in
      let bytes = try await session.upload(Array("hello".utf8), to: sandbox.url + "/anything", headers: [.contentType: "text/x"]).json
      #expect(bytes["method"] == "POST")
      #expect(bytes["body"]?["text"] == "hello")
      #expect(bytes["header"]?["content-type"] == "text/x")
      let file = try await session.upload(file: folder.path + "/a.json", to: sandbox.url + "/anything", method: .put).json
      #expect(file["json"] == ["a": 1])
      #expect(file["header"]?["content-type"] == "application/json")
      let stream = BodyStream {
        AsyncStream { continuation in
          for piece in ["one ", "two"] { continuation.yield(Array(piece.utf8)) }
          continuation.finish()
        }
      }
      let chunked = try await session.upload(stream, to: sandbox.url + "/anything").json
      #expect(chunked["body"]?["text"] == "one two")
      #expect(chunked["header"]?["transfer-encoding"] == "chunked")
      let form = try await session.upload(to: sandbox.url + "/multipart") { form in
        form.append("Front cover", name: "caption")
        form.append(file: folder.path + "/a.json", name: "file")
      }.json
      #expect(form["parts"]?[0]?["text"] == "Front cover")
      #expect(form["parts"]?[1]?["filename"] == "a.json")
      #expect(form["parts"]?[1]?["type"] == "application/json")
      let missing = await session.upload(file: folder.path + "/none", to: sandbox.url + "/anything").response()
      #expect(missing.error?.reason.kind == .upload)
    }
  }

  @Test func `a downloaded file that passed validation can be read by response serializers, such as the JSON serializer`() async throws {
    let folder = try TemporaryFolder()
    try await withSandbox { (session, sandbox) async throws in
      let path = folder.path + "/new/data.bin"
      let request = session.download(sandbox.url + "/bytes/100000", to: DownloadTarget(path: path, createsDirectories: true)).validate()
      #expect(try await request.file == path)
      #expect(request.path == path)
      #expect(try await request.data.count == 100_000)
      #expect(sandbox.records.count == 1)
      // The file exists now, which is an error before anything is sent.
      let again = await session.download(sandbox.url + "/bytes/5", to: DownloadTarget(path: path)).response()
      #expect(again.error?.reason.kind == .download)
      #expect(sandbox.records.count == 1)
      let replaced = session.download(sandbox.url + "/json", to: DownloadTarget(path: path, replacesExisting: true))
      #expect(try await replaced.json["catalog"]?["open"] == true)
      #expect(try await replaced.string.contains("Dune"))
      #expect(await replaced.response(of: Int.self).error?.reason.kind == .serialization)
      let page = session.download(sandbox.url + "/html", to: DownloadTarget(path: folder.path + "/page.html"))
      #expect(try await page.html.select("string(//title)").text == "The bookshop")
      let catalog = session.download(sandbox.url + "/xml", to: DownloadTarget(path: folder.path + "/c.xml"))
      #expect(try await catalog.xml.select("count(//book)").text == "2")
      #expect(await catalog.response(with: PropertyListResponseSerializer()).error?.reason.kind == .serialization)
    }
  }

  @Test func `a Data value of Foundation can be uploaded`() async throws {
    let stubs = StubTransport { _ in .text("ok") }
    let upload = Session(.stubbed(by: stubs)).upload(Data([1, 2]), to: "https://h/", headers: [:])
    #expect(try await upload.string == "ok")
    #expect(try await stubs.requests.first?.content() == [1, 2])
  }

  @Test func `a download that fails validation leaves no file`() async throws {
    let folder = try TemporaryFolder()
    try await withSandbox { (session, sandbox) async throws in
      let path = folder.path + "/x"
      let response = await session.download(sandbox.url + "/status/404", to: DownloadTarget(path: path)).validate().response()
      #expect(response.error?.reason == .validation(.unacceptableStatus(404)))
      #expect(response.path == nil)
    }
    #expect(folder.names.isEmpty)
  }

  @Test func `a failed download is retried`() async throws {
    let folder = try TemporaryFolder()
    var configuration = SessionConfiguration.ephemeral
    configuration.clock = TestClock().session
    configuration.interceptor = RetryPolicy()
    try await withSandbox(configuration) { (session, sandbox) async throws in
      let request = session.download(sandbox.url + "/flaky/a?fails=1", to: DownloadTarget(path: folder.path + "/x")).validate()
      #expect(try await request.json["attempt"] == 2)
      #expect(request.retryCount == 1)
    }
    #expect(folder.names == ["x"])
  }

  @Test func `a file name suggested by the server cannot lead out of the target folder`() async throws {
    let folder = try TemporaryFolder()
    try await withSandbox { (session, sandbox) async throws in
      let url = sandbox.url + "/response-headers?Content-Disposition=attachment%3B%20filename%3D%22..%2Fevil.txt%22"
      let path = try await session.download(url, to: DownloadTarget(path: folder.path, name: .suggested)).file
      #expect(path == folder.path + "/evil.txt")
    }
  }

  @Test func `a stream yields the whole body in pieces`() async throws {
    try await withSandbox { (session, sandbox) async throws in
      var count = 0
      let request = session.stream(sandbox.url + "/stream-bytes/3000000").validate()
      for try await piece in request { count += piece.count }
      #expect(count == 3_000_000)
      #expect(request.description == "GET \(sandbox.url)/stream-bytes/3000000 (200)")
      #expect(request.response?.decodedBodyBytes == 3_000_000)
      #expect(request.metrics.count == 1)
    }
  }

  @Test func `a slow reader of a stream pauses the server and does not cause an idle timeout`() async throws {
    let sent = Collected<Int>()
    let piece = [UInt8](repeating: 1, count: 1 << 20)
    let server = try RawServer { connection in
      _ = connection.readHead()
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(64 << 20)\r\n\r\n")
      for index in 0..<64 {
        guard connection.send(piece) else { return }
        sent.add(index)
      }
    }
    var configuration = SessionConfiguration.ephemeral
    configuration.settings.idleTimeout = .seconds(4)
    let session = Session(configuration)
    let request = session.stream(server.url)
    let pieces = request.makeAsyncIterator()
    var count = try #require(try await pieces.next()).count
    // A slow reader is not a silent server: an action scheduled after the idle check has run, and
    // there was no timeout.
    let hasLooked = TestGate()
    session.engine.schedule(after: .seconds(5)) { hasLooked.open() }
    await hasLooked.wait()
    #expect(sent.all.count < 40)
    while let piece = try await pieces.next() { count += piece.count }
    #expect(count == 64 << 20)
  }

  /// A slow caller causes no idle timeout: the limit is for the network.
  @Test func `a slow upload stream does not cause an idle timeout`() async throws {
    let firstIsThere = TestGate()
    let server = try RawServer { connection in
      _ = connection.readHead()
      let first = connection.read(5)
      firstIsThere.open()
      let second = connection.read(5)
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n")
      connection.send(first + second)
    }
    var configuration = SessionConfiguration.ephemeral
    configuration.settings.idleTimeout = .seconds(4)
    let session = Session(configuration)
    let hasLooked = TestGate()
    let number = Atomic<Int>(0)
    let stream = BodyStream(length: 10, isRepeatable: false) {
      AsyncStream(unfolding: {
        switch number.wrappingAdd(1, ordering: .relaxed).newValue {
        case 1: return Array("first".utf8)
        case 2:
          await hasLooked.wait()
          return Array("again".utf8)
        default: return nil
        }
      })
    }
    let request = session.upload(stream, to: server.url).validate().resume()
    await firstIsThere.wait()
    session.engine.schedule(after: .seconds(5)) { hasLooked.open() }
    #expect(try await request.string == "firstagain")
  }

  @Test func `if the caller leaves the loop over a stream early, the request is cancelled`() async throws {
    let closed = TestGate()
    let server = try RawServer { connection in
      _ = connection.readHead()
      connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
      while connection.send("5\r\nhello\r\n") {}
      closed.open()
    }
    let request = Session(.ephemeral).stream(server.url)
    for try await piece in request {
      #expect(!piece.isEmpty)
      break
    }
    await closed.wait()
    #expect(request.state == .cancelled)
  }

  @Test func `a cancelled task stops waiting for the response header`() async throws {
    let closed = TestGate()
    let server = try RawServer { connection in
      _ = connection.readHead()
      connection.readToEnd()
      closed.open()
    }
    let request = Session(.ephemeral).stream(server.url)
    let task = Task { await #expect(throws: NetworkingError.self) { try await request.waitForHead() } }
    while server.connectionCount == 0 { await Task.yield() }
    task.cancel()
    #expect(await task.value?.reason == .cancelled)
    await closed.wait()
  }

  @Test func `if the response of a stream fails validation, the caller receives no bytes`() async throws {
    try await withSandbox { (session, sandbox) async throws in
      let request = session.stream(sandbox.url + "/status/404").validate()
      let error = await #expect(throws: NetworkingError.self) { for try await _ in request {} }
      #expect(error?.reason == .validation(.unacceptableStatus(404)))
      let second = await #expect(throws: NetworkingError.self) { for try await _ in request {} }
      #expect(second?.reason.kind == .invalidRequest)
    }
    let endless = try RawServer { connection in
      _ = connection.readHead()
      connection.send("HTTP/1.1 500 No\r\nTransfer-Encoding: chunked\r\n\r\n")
      while connection.send("5\r\nhello\r\n") {}
    }
    let error = await #expect(throws: NetworkingError.self) { for try await _ in Session(.ephemeral).stream(endless.url).validate() {} }
    #expect(error?.reason == .validation(.unacceptableStatus(500)))
  }

  @Test func `a truncated stream throws an error after its last received bytes`() async throws {
    let server = try RawServer { connection in
      _ = connection.readHead()
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello")
    }
    var received: [UInt8] = []
    let request = Session(.ephemeral).stream(server.url)
    let error = await #expect(throws: NetworkingError.self) { for try await piece in request { received += piece } }
    #expect(error?.reason == .truncated(received: 5, expected: 10))
    #expect(received == Array("hello".utf8))
  }

  @Test func `if a stream fails before its first piece arrives, the request is retried`() async throws {
    var configuration = SessionConfiguration.ephemeral
    configuration.clock = TestClock().session
    configuration.interceptor = RetryPolicy()
    try await withSandbox(configuration) { (session, sandbox) async throws in
      let request = session.stream(sandbox.url + "/flaky/a?fails=1").validate()
      var text: [UInt8] = []
      for try await piece in request { text += piece }
      #expect(String(decoding: text, as: UTF8.self).contains("2"))
      #expect(request.retryCount == 1)
    }
  }

  @Test func `a stream can be read as lines and as JSON values`() async throws {
    struct Event: Decodable, Sendable, Equatable { var n: Int }
    let server = try RawServer { connection in
      while connection.readHead() != "" {
        connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Type: application/x-ndjson\r\n\r\n")
        for chunk in ["{\"n\":1}\r", "\n\n{\"n\"", ":2}\n{\"n\":3}"] {
          connection.send("\(String(chunk.utf8.count, radix: 16))\r\n\(chunk)\r\n")
        }
        connection.send("0\r\n\r\n")
      }
    }
    let session = Session(.ephemeral)
    var lines: [String] = []
    for try await line in session.stream(server.url).lines { lines.append(line) }
    #expect(lines == ["{\"n\":1}", "", "{\"n\":2}", "{\"n\":3}"])
    var events: [Event] = []
    for try await event in session.stream(server.url).values(of: Event.self) { events.append(event) }
    #expect(events == [Event(n: 1), Event(n: 2), Event(n: 3)])
  }

  @Test func `the method 'waitForHead' returns when the response header has arrived, before the body arrives`() async throws {
    let gate = TestGate()
    let server = try RawServer { connection in
      _ = connection.readHead()
      connection.send("HTTP/1.1 206 Some\r\nETag: \"x\"\r\nContent-Length: 5\r\n\r\n")
      connection.readToEnd()
      gate.open()
    }
    let request = Session(.ephemeral).stream(server.url)
    let head = try await request.waitForHead()
    #expect(head.status.code == 206)
    #expect(head.headerFields[.eTag] == "\"x\"")
    request.cancel()
    await gate.wait()
    let refused = await #expect(throws: NetworkingError.self) { try await Session(.ephemeral).stream("http://127.0.0.1:1/").waitForHead() }
    #expect(refused?.reason.kind == .refused)
  }
}
