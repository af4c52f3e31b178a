import GarlandNetworking
import GarlandSandbox
import TestSupport
import Testing
import TransferTestSupport

/// Tests that hold for requests, downloads, uploads and streams, as Alamofire's tests do.
@Suite(.timeLimit(.minutes(15))) struct KindCasesTests {
  /// Waits for the end of a request of any kind.
  private func end(_ request: Request) async throws {
    switch request {
    case let stream as DataStreamRequest: for try await _ in stream {}
    case let download as DownloadRequest: _ = await download.response()
    case let data as DataRequest: _ = await data.response()
    default: Issue.record("another kind of request: \(request)")
    }
  }

  @Test func `event monitors receive the same events for downloads, uploads and streams as for other requests`() async throws {
    let folder = try TemporaryFolder()
    let makers: [(Session) -> Request] = [
      { $0.request("https://h/") }, { $0.download("https://h/", to: DownloadTarget(path: folder.path + "/file")) },
      { $0.upload([1], to: "https://h/") }, { $0.stream("https://h/") },
    ]
    for make in makers {
      let recorder = EventMonitorTests.Recorder()
      var configuration = SessionConfiguration.stubbed { _ in .text("ok") }
      configuration.eventMonitors = [recorder]
      let session = Session(configuration)
      let request = make(session).validate()
      try await end(request)
      let method = request.request?.method.rawValue ?? ""
      let expected = ["created", "started", "adapted \(method)", "finished ok", "transferred 200", "validated ok"]
      #expect(recorder.words.all.filter { $0 != "serialized ok" }.sorted() == expected.sorted())
      let cancelled = make(session).cancel()
      await #expect(throws: NetworkingError.self) {
        try await end(cancelled)
        throw try #require(cancelled.error)
      }
      #expect(recorder.words.all.suffix(3) == ["created", "cancelled", "finished cancelled"])
    }
  }

  @Test func `the closure that modifies a request can change the settings of every kind of request`() {
    let session = Session(.stubbed { _ in .text("ok") })
    let modify: @Sendable (inout TransferRequest) -> Void = { $0.settings.deadline = .seconds(7) }
    let requests: [Request] = [
      session.request("https://h/", modify: modify), session.download("https://h/", modify: modify),
      session.upload([1], to: "https://h/", modify: modify), session.stream("https://h/", modify: modify),
    ]
    for request in requests { #expect(request.request?.settings.deadline == .seconds(7)) }
  }

  @Test func `by default, a request accepts responses with the content codings deflate, gzip, br and zstd`() async throws {
    try await withSandbox { (session, sandbox) async throws in
      let echo = try await session.request(sandbox.url + "/anything").json
      #expect(echo["header"]?["accept-encoding"] == "deflate, gzip, br, zstd")
    }
  }

  @Test func `a struct is sent as the query or the form of a request`() {
    struct Parameters: Encodable { var property = "a b" }
    let session = Session(.stubbed { _ in .text("ok") })
    #expect(session.request("https://h/", parameters: Parameters()).request?.url == "https://h/?property=a%20b")
    guard case .bytes(let form) = session.request("https://h/", method: .post, parameters: Parameters()).request?.body else {
      Issue.record("no body")
      return
    }
    #expect(String(decoding: form, as: UTF8.self) == "property=a%20b")
  }

  @Test func `the parameters of a QUERY request are sent in its body`() async throws {
    try await withSandbox { (session, sandbox) async throws in
      let echo = try await session.request(sandbox.url + "/anything", method: .query, parameters: ["a": 1]).validate().json
      #expect(echo["method"] == "QUERY")
      #expect(echo["target"] == "/anything")
      #expect(echo["body"]?["text"] == "a=1")
    }
  }

  @Test func `a cancelled task cancels the download that it waits for`() async throws {
    let folder = try TemporaryFolder()
    let server = try RawServer { connection in
      guard connection.readRequest() != nil else { return }
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\nhello ")
      connection.readToEnd()
    }
    let download = Session(.ephemeral).download(server.url, to: DownloadTarget(path: folder.path + "/file"))
    let task = Task { await download.response() }
    for await progress in download.downloadProgress where progress.completed == 6 { break }
    task.cancel()
    #expect(await task.value.error?.reason == .cancelled)
    _ = await download.response()
    #expect(folder.names.isEmpty)
  }

  @Test func `the progress of an upload includes each piece of a slow stream`() async throws {
    let server = try RawServer { connection in
      _ = connection.readHead()
      let content = connection.read(10)
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n")
      connection.send(content)
    }
    let isSent = TestGate()
    let pieces = Collected<Int>()
    let stream = BodyStream(length: 10, isRepeatable: false) {
      AsyncStream(unfolding: {
        pieces.add(0)
        if pieces.all.count == 2 { await isSent.wait() }
        return pieces.all.count > 2 ? nil : Array("piece".utf8)
      })
    }
    let upload = Session(.ephemeral).upload(stream, to: server.url).resume()
    var steps: [Int64] = []
    for await progress in upload.uploadProgress {
      steps.append(progress.completed)
      if progress.completed == 5 { isSent.open() }
    }
    #expect(steps.contains(5) && steps.last == 10)
    #expect(try await upload.string == "piecepiece")
  }

  @Test func `the last reported progress of a form upload is 100 percent`() async throws {
    try await withSandbox { (session, sandbox) async throws in
      let upload = session.upload(to: sandbox.url + "/post") { $0.append([UInt8](repeating: 1, count: 300_000), name: "a") }
      let progress = upload.uploadProgress
      #expect(await upload.response().status == 200)
      var last: RequestProgress?
      for await step in progress { last = step }
      #expect(last?.fraction == 1)
      #expect(last?.completed ?? 0 > 300_000)
    }
  }

  @Test func `cancelling a stream ends the loop over its pieces with an error`() async throws {
    let server = try RawServer { connection in
      _ = connection.readHead()
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\nhello ")
      connection.readToEnd()
    }
    let stream = Session(.ephemeral).stream(server.url)
    let error = await #expect(throws: NetworkingError.self) { for try await _ in stream { stream.cancel() } }
    #expect(error?.reason == .cancelled)
    #expect(stream.state == .cancelled)
  }

  @Test func `a stream yields all bytes of the response if the caller calls 'resume' before reading the stream`() async throws {
    let stream = Session(.stubbed { _ in .text("ok") }).stream("https://h/").resume()
    var text: [UInt8] = []
    for try await piece in stream { text += piece }
    #expect(text == Array("ok".utf8))
  }
}
