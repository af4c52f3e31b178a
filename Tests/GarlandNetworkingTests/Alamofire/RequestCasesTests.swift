import GarlandNetworking
import GarlandSandbox
import TestSupport
import Testing
import TransferTestSupport

/// Tests requests, downloads, uploads and streams, as Alamofire's tests do.
@Suite(.timeLimit(.minutes(15))) struct RequestCasesTests {
  // MARK: Requests

  @Test func `non-Latin text and long text are sent unchanged as parameters`() async throws {
    try await withSandbox { (session, sandbox) async throws in
      let parameters = ["french": "français", "japanese": "日本語", "arabic": "العربية", "emoji": "😃"]
      let image = String(repeating: "iVBORw0KGgo+/=\r\n", count: 3000)
      let form = try await session.request(sandbox.url + "/post", method: .post, parameters: parameters).json["form"]?["values"]
      for (name, value) in parameters { #expect(form?[name]?.stringValue == value) }
      let sent = try await session.request(sandbox.url + "/post", method: .post, parameters: ["png": image]).json["form"]?["values"]
      #expect(sent?["png"]?.stringValue == image)
    }
  }

  @Test func `a second call of a request's method 'resume', 'suspend' or 'cancel' has no effect`() async throws {
    let recorder = EventMonitorTests.Recorder()
    var configuration = SessionConfiguration.stubbed { _ in .text("ok") }
    configuration.eventMonitors = [recorder]
    let session = Session(configuration)
    let resumed = session.request("https://h/")
    for _ in 0..<100 { resumed.resume() }
    _ = await resumed.response()
    #expect(recorder.words.all.filter { $0 == "started" }.count == 1)
    let suspended = session.request("https://h/")
    for _ in 0..<100 { suspended.suspend() }
    #expect(suspended.state == .suspended)
    for _ in 0..<100 { suspended.cancel() }
    #expect(suspended.state == .cancelled)
    #expect(recorder.words.all.filter { $0 == "suspended" || $0 == "cancelled" } == ["suspended", "cancelled"])
    let running = Session(.stubbed { _ in .text("ok").delayed(by: .seconds(60)) }).request("https://h/").eventMonitor(recorder).resume()
    for _ in 0..<100 { running.suspend() }
    #expect(recorder.words.all.filter { $0 == "suspended" }.count == 2)
    running.cancel()
  }

  @Test func `a request that several tasks cancel at the same time ends only once`() async {
    let recorder = EventMonitorTests.Recorder()
    var configuration = SessionConfiguration.stubbed { _ in .text("ok").delayed(by: .seconds(60)) }
    configuration.eventMonitors = [recorder]
    let request = Session(configuration).request("https://h/").resume()
    await withTaskGroup(of: Void.self) { group in for _ in 0..<100 { group.addTask { request.cancel() } } }
    #expect(await request.response().error?.reason == .cancelled)
    #expect(recorder.words.all.filter { $0 == "cancelled" }.count == 1)
  }

  @Test func `an event monitor receives the same events of a request whether or not resume() is called`() async {
    var words: [[String]] = []
    for resumptions in 0...2 {
      let recorder = EventMonitorTests.Recorder()
      var configuration = SessionConfiguration.stubbed { _ in .text("ok") }
      configuration.eventMonitors = [recorder]
      let request = Session(configuration).request("https://h/")
      for _ in 0..<resumptions { request.resume() }
      _ = await request.response()
      words.append(recorder.words.all)
    }
    let expected = ["created", "started", "adapted GET", "transferred 200", "finished ok", "serialized ok"]
    #expect(words == [expected, expected, expected])
  }

  @Test func `a cancelled request stays cancelled if it is resumed, or if a response serializer is added later`() async {
    let session = Session(.stubbed { _ in .text("ok") })
    let slow = Session(.stubbed { _ in .text("ok").delayed(by: .seconds(60)) })
    for request in [session.request("https://h/").cancel().resume(), slow.request("https://h/").resume().cancel()] {
      #expect(await request.response(.string).error?.reason == .cancelled)
      #expect(await request.response(.json).error?.reason == .cancelled)
      #expect(request.state == .cancelled)
    }
  }

  @Test func `a running request keeps its session in memory until the request ends`() async throws {
    func request() -> DataRequest { Session(.stubbed { _ in .text("ok") }).request("https://h/") }
    #expect(try await request().string == "ok")
    let cancelled = request().cancel()
    #expect(cancelled.state == .cancelled)
  }

  @Test func `an unstructured task continues to wait for a request after its parent task is cancelled`() async throws {
    let gate = TestGate()
    let session = Session(
      .stubbed { _ in
        await gate.wait()
        return .text("ok")
      })
    let request = session.request("https://h/")
    let task = Task { await Task { await request.response(.string) }.value }
    task.cancel()
    gate.open()
    #expect(try await task.value.value == "ok")
    #expect(request.state == .finished)
  }

  @Test func `all requests of a session can be suspended and cancelled together`() async {
    let session = Session(.stubbed { _ in .text("ok").delayed(by: .seconds(60)) })
    let requests = (0..<100).map { session.request("https://h/\($0)").resume() }
    for request in session.runningRequests { request.suspend() }
    #expect(requests.allSatisfy { $0.state == .suspended })
    session.cancelAllRequests()
    for request in requests { #expect(await request.response().error?.reason == .cancelled) }
    #expect(session.runningRequests.isEmpty)
  }

  @Test func `cancelling all requests of a session also cancels a request that waits for a retry`() async {
    let gate = TestGate()
    var configuration = SessionConfiguration.stubbed { _ in .status(401) }
    configuration.interceptor = Interceptor(retrying: { _ in
      gate.open()
      return .retryAfter(.seconds(60))
    })
    let session = Session(configuration)
    let request = session.request("https://h/").validate().resume()
    await gate.wait()
    session.cancelAllRequests()
    #expect(await request.response().error?.reason == .cancelled)
  }

  @Test(arguments: [SessionConfiguration.Kind.default, .ephemeral])
  func `the header fields of the session configuration are sent with each request of the session`(_ kind: SessionConfiguration.Kind) async {
    let stubs = StubTransport { _ in .text("ok") }
    var configuration = SessionConfiguration(kind: kind)
    configuration.headerFields[.authorization] = "Bearer 123456"
    configuration.transport = stubs
    _ = await Session(configuration).request("https://h/").response()
    #expect(stubs.requests.first?.headerFields[.authorization] == "Bearer 123456")
  }

  @Test func `an invalid URL fails every kind of request, and the error contains the URL`() async {
    let session = Session(.stubbed { _ in .text("ok") })
    let url = "https://exa mple.com/äëïöü"
    let errors = [
      await session.request(url).response().error, await session.download(url).response().error,
      await session.upload([1], to: url).response().error, await session.upload(file: "/invalid", to: url).response().error,
      await session.upload(BodyStream { AsyncStream<[UInt8]> { $0.finish() } }, to: url).response().error,
    ]
    for error in errors {
      #expect(error?.reason.kind == .invalidRequest)
      #expect(error?.description.contains("exa mple.com") == true, "\(error?.description ?? "")")
    }
  }

  @Test func `the redirect handler of a request overrides that of the session`() async throws {
    try await withSandbox { (_, sandbox) async throws in
      var configuration = SessionConfiguration.ephemeral
      configuration.redirectHandler = .doNotFollow
      let session = Session(configuration)
      #expect(await session.request(sandbox.url + "/redirect/1").response().status == 302)
      #expect(await session.request(sandbox.url + "/redirect/1").redirect(using: .follow).response().status == 200)
    }
  }

  @Test func `if a request has a cached-response handler, the session's handler is not used for this request`() async throws {
    try await withSandbox { (_, sandbox) async throws in
      func session(_ handler: ResponseCacher) -> Session {
        var configuration = SessionConfiguration.ephemeral
        configuration.cache = ResponseCache()
        configuration.cachedResponseHandler = handler
        return Session(configuration)
      }
      let url = sandbox.url + "/cache/60"
      let keeping = session(.keep)
      _ = await keeping.request(url).cacheResponse(using: .refuse).response()
      #expect(await keeping.request(url).cachePolicy(.returnCacheOnly).response().error?.reason == .notCached)
      let refusing = session(.refuse)
      _ = await refusing.request(url).cacheResponse(using: .decide { _, _ in .keep }).response()
      #expect(await refusing.request(url).cachePolicy(.returnCacheOnly).response().status == 200)
    }
  }

  // MARK: Compression

  @Test func `Content-Encoding is sent only with a compressed body`() async throws {
    try await withSandbox { (session, sandbox) async throws in
      let url = sandbox.url + "/post"
      let deflated = try await session.request(url, method: .post, parameters: ["property": "compressed"], encoding: .json)
        .compress(.deflate).json
      #expect(deflated["header"]?["content-encoding"]?.stringValue == "deflate")
      let plain = try await session.request(url, method: .post, parameters: ["property": "compressed"], encoding: .json).json
      #expect(plain["header"]?["content-encoding"] == nil)
    }
  }

  // MARK: Downloads

  @Test func `a download sends its parameters and header fields, and reports its progress`() async throws {
    try await withSandbox { (session, sandbox) async throws in
      let headers: HTTPHeaders = ["Authorization": "123456"]
      let download = session.download(sandbox.url + "/get", parameters: ["foo": "bar"])
      #expect(try await download.json["query"]?["values"]?["foo"]?.stringValue == "bar")
      #expect(download.request?.method == .get)
      let named = session.download(sandbox.url + "/headers", headers: headers)
      #expect(try await named.string.contains("123456"))
      let steps = Collected<Double>()
      let large = session.download(sandbox.url + "/bytes/100000")
      let progress = large.downloadProgress
      _ = try await large.file
      for await step in progress { steps.add(step.fraction ?? -1) }
      #expect(steps.all.last == 1)
      #expect(steps.all == steps.all.sorted())
    }
  }

  @Test func `a download to a missing folder or an existing file is refused unless the download's options allow it`() async throws {
    let folder = try TemporaryFolder()
    let session = Session(.stubbed { _ in .text("new") })
    let path = folder.path + "/some/folder/file"
    guard case .download = await session.download("https://h/", to: DownloadTarget(path: path)).response().error?.reason else {
      Issue.record("no error of the file")
      return
    }
    #expect(try await session.download("https://h/", to: DownloadTarget(path: path, createsDirectories: true)).file == path)
    #expect(await session.download("https://h/", to: DownloadTarget(path: path)).response().error?.reason.kind == .download)
    #expect(try await session.download("https://h/", to: DownloadTarget(path: path, replacesExisting: true)).file == path)
  }

  @Test func `a cancelled download has no file and no resume data`() async {
    let download = Session(.stubbed { _ in .text("ok") }).download("https://h/").cancel()
    let response = await download.response()
    #expect(response.error?.reason == .cancelled)
    #expect(response.path == nil)
    #expect(response.resumeData == nil)
  }

  // MARK: Uploads

  @Test func `uploads of bytes, files, streams and forms are sent as POST with the header fields that the caller sets`() async throws {
    let folder = try TemporaryFolder()
    let stubs = StubTransport { _ in .text("ok") }
    let session = Session(.stubbed(by: stubs))
    let headers: HTTPHeaders = ["Authorization": "123456"]
    _ = await session.upload([1, 2], to: "https://h/1", headers: headers).response()
    _ = await session.upload(.file(path: try folder.write("a", "b")), to: "https://h/2", headers: headers).response()
    _ = await session.upload(.stream(BodyStream { AsyncStream<[UInt8]> { $0.finish() } }), to: "https://h/3", headers: headers).response()
    _ = await session.upload(to: "https://h/4", headers: headers) { $0.append("français", name: "french") }.response()
    #expect(stubs.requests.map(\.method) == [.post, .post, .post, .post])
    #expect(stubs.requests.allSatisfy { $0.headerFields[.authorization] == "123456" })
  }

  @Test func `a retried upload sends the same content again`() async throws {
    let stubs = StubTransport { _ in .text("ok") }
    var configuration = SessionConfiguration.stubbed(by: stubs)
    configuration.interceptor = Interceptor(retrying: { $0.retryCount == 0 ? .retry : .doNotRetry })
    let upload = Session(configuration).upload(Array("body".utf8), to: "https://h/").validate(statuses: [201])
    #expect(await upload.response().error?.reason == .validation(.unacceptableStatus(200)))
    for request in stubs.requests { #expect(try await request.content() == Array("body".utf8)) }
    #expect(upload.retryCount == 1)
  }

  @Test func `a multipart form uses the boundary that the caller sets`() async {
    let stubs = StubTransport { _ in .text("ok") }
    var form = MultipartFormData(boundary: "custom-test-boundary")
    form.append("upload_data", name: "upload_data")
    _ = await Session(.stubbed(by: stubs)).upload(.multipart(form), to: "https://h/").response()
    #expect(stubs.requests.first?.headerFields[.contentType] == "multipart/form-data; boundary=custom-test-boundary")
  }

  // MARK: Streams

  @Test func `the onResponse closure of a stream request is called once, with the response header`() async throws {
    let session = Session(.stubbed { _ in .text("ok") })
    let seen = Collected<Int>()
    var text: [UInt8] = []
    let request = session.stream("https://h/").onResponse { head in
      seen.add(head.status.code)
      return true
    }
    for try await piece in request { text += piece }
    #expect(seen.all == [200])
    #expect(text == Array("ok".utf8))
  }

  @Test func `if the onResponse closure of a stream returns false, the stream ends before its first piece`() async throws {
    let request = Session(.stubbed { _ in .text("ok") }).stream("https://h/").onResponse { _ in false }
    await #expect(throws: NetworkingError.self) { for try await _ in request { Issue.record("a piece") } }
    #expect(request.error?.reason == .cancelled)
    #expect(request.error?.partialResponse?.status.code == 200)
  }

  @Test func `if the onResponse closure cancels a request, the request keeps the response header`() async {
    let response = await Session(.stubbed { _ in .text("ok") }).request("https://h/").onResponse { _ in .cancel }.response()
    #expect(response.error?.reason == .cancelled)
    #expect(response.status == 200)
    #expect(response.data == [])
  }

  @Test func `the cached-response handler is called for a stream`() async throws {
    try await withSandbox { (_, sandbox) async throws in
      var configuration = SessionConfiguration.ephemeral
      configuration.cache = ResponseCache()
      let asked = Collected<Int>()
      let stream = Session(configuration).stream(sandbox.url + "/cache/60").cacheResponse(
        using: .decide { response, _ in
          asked.add(response.status.code)
          return .refuse
        })
      for try await _ in stream {}
      #expect(asked.all == [200])
    }
  }

  @Test func `a stream is authenticated and follows redirects like a request`() async throws {
    try await withSandbox { (session, sandbox) async throws in
      var count = 0
      let secret = session.stream(sandbox.url + "/basic-auth/user/password").authenticate(user: "user", password: "password")
      for try await piece in secret.validate() { count += piece.count }
      #expect(count > 0)
      let redirected = session.stream(sandbox.url + "/redirect/1").redirect(using: .follow).validate()
      for try await piece in redirected { count += piece.count }
      #expect(redirected.response?.redirects.count == 1)
    }
  }

  @Test func `a request, a download and a stream can read a file URL`() async throws {
    let folder = try TemporaryFolder()
    let url = "file://" + (try folder.write("valid.json", "{}"))
    let session = Session(.ephemeral)
    #expect(try await session.request(url).json == [:])
    #expect(try await session.download(url).json == [:])
    var bytes: [UInt8] = []
    for try await piece in session.stream(url) { bytes += piece }
    #expect(bytes == Array("{}".utf8))
  }

  // MARK: Validation

  @Test func `statuses and content types are validated for requests and downloads`() async {
    let session = Session(.stubbed { _ in .text("<a/>", contentType: "application/xml") })
    func errors(_ validate: (Request) -> Void) async -> [NetworkingError.Reason?] {
      let (request, download) = (session.request("https://h/"), session.download("https://h/"))
      validate(request)
      validate(download)
      return [await request.response().error?.reason, await download.response().error?.reason]
    }
    func both(_ failure: NetworkingError.Validation) -> [NetworkingError.Reason?] { [.validation(failure), .validation(failure)] }
    #expect(await errors { $0.validate(statuses: 200..<300) } == [nil, nil])
    #expect(await errors { $0.validate(statuses: [Int]()) } == both(.unacceptableStatus(200)))
    for types in [["application/xml"], ["application/xml; charset=utf-8"], ["application/xml; q=0.8; charset=utf-8"], ["*/*"], ["*/xml"]] {
      #expect(await errors { $0.validate(contentTypes: types) } == [nil, nil])
    }
    let refused = NetworkingError.Validation.unacceptableContentType("application/xml", acceptable: ["image/gif", "image/bmp"])
    #expect(await errors { $0.validate(contentTypes: ["image/gif", "image/bmp"]) } == both(refused))
    #expect(
      await errors { $0.validate(contentTypes: []) } == both(.unacceptableContentType("application/xml", acceptable: [])))
    #expect(await errors { $0.validate(statuses: 200..<300).validate(contentTypes: ["application/xml"]) } == [nil, nil])
    #expect(await errors { $0.validate(statuses: 400..<600).validate(contentTypes: []) } == both(.unacceptableStatus(200)))
    #expect(await errors { $0.validate(contentTypes: ["image/gif", "image/bmp"]).validate(statuses: 400..<600) } == both(refused))
  }

  @Test func `a response without content passes the validation of every content type`() async {
    let session = Session(.stubbed { _ in .status(204) })
    #expect(await session.request("https://h/").validate(contentTypes: []).response().error == nil)
    #expect(await session.download("https://h/").validate(contentTypes: ["*/*"]).response().error == nil)
  }

  @Test func `if a custom validator refuses the content of a response, the request fails with the validator's error`() async {
    struct Missing: Error, Equatable {}
    let session = Session(.stubbed { _ in .text("ok") })
    let seen = session.request("https://h/").validate { _, response in if response.bytes.isEmpty { throw Missing() } }
    #expect(await seen.response().error == nil)
    let refused = await session.request("https://h/").validate { _, _ in throw Missing() }.validate(statuses: [201]).response()
    guard case .validation(.custom(let error)) = refused.error?.reason else {
      Issue.record("\(refused)")
      return
    }
    #expect(error == .init(Missing()))
    #expect(refused.error?.underlyingError is Missing)
    let adapted = await session.request("https://h/").adapt(using: Interceptor.adapter { _ in throw Missing() }).response()
    #expect(adapted.error?.underlyingError is Missing)
    #expect(await session.request("https://h/").validate(statuses: [201]).response().error?.underlyingError == nil)
  }
}
