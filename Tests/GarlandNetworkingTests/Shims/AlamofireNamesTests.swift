import FoundationEssentials
import GarlandNetworking
import TestSupport
import Testing

/// The tests with Alamofire's deprecated names. They are called through this protocol, because the tests themselves must not be deprecated.
private protocol OldNames {
  func sessions()
  func completionHandlers() async throws
  func serializingTasks() async throws
  func encoders() async throws
  func handlers() async throws
  func downloads() async throws
  func configured() async throws
  func errors() async
}

@Suite(.timeLimit(.minutes(15))) struct AlamofireNamesTests {
  private let old: any OldNames = AlamofireCode()

  @Test func `Alamofire's names 'AF' and 'Session.default' mean the shared session`() { old.sessions() }

  @Test func `completion handlers that are passed to Alamofire's methods receive the responses`() async throws {
    try await old.completionHandlers()
  }

  @Test func `tasks that are created with Alamofire's serializing methods return values, results and responses`() async throws {
    try await old.serializingTasks()
  }

  @Test func `an encoder with Alamofire's name writes the same content as the encoder with Garland's name`() async throws {
    try await old.encoders()
  }

  @Test func `a download that uses Alamofire's method names returns the path and the content of the file`() async throws {
    try await old.downloads()
  }

  @Test func `isExplicitlyCancelledError is true for a cancelled request and false for a request of an invalidated session`() async {
    await old.errors()
  }

  @Test func `a session uses the handlers that are passed under Alamofire's parameter names`() async throws { try await old.configured() }

  @Test func `forms, streams and handlers under Alamofire's names behave like those under Garland's names`() async throws {
    try await old.handlers()
  }
}

private struct AlamofireCode: OldNames {
  private struct User: Codable, Equatable, Sendable {
    var name: String
  }

  private func session(_ answer: StubbedResponse = .json(["name": "Ada"])) -> (Session, StubTransport) {
    let stubs = StubTransport { _ in answer }
    return (Session(.stubbed(by: stubs)), stubs)
  }

  @available(*, deprecated)
  func downloads() async throws {
    let session = session().0
    let data = await withCheckedContinuation { done in session.download("https://h/").responseData { done.resume(returning: $0) } }
    #expect(try data.value.count == 14)
    let text = await withCheckedContinuation { done in session.download("https://h/").responseString { done.resume(returning: $0) } }
    #expect(try text.value == #"{"name":"Ada"}"#)
    let user: AFDownloadResponse<User> = await withCheckedContinuation { done in
      session.download("https://h/").responseDecodable(of: User.self) { done.resume(returning: $0) }
    }
    #expect(try user.value == User(name: "Ada"))
    let path = try await session.download("https://h/").serializingDownloadedFileURL().value
    #expect(!path.isEmpty)
    #expect(try await session.download("https://h/").serializingDecodable(User.self).value == User(name: "Ada"))
    #expect(try await session.download("https://h/").serializingString().value == #"{"name":"Ada"}"#)
    #expect(await session.download("https://h/").serializingData().response.status == 200)
    let download = session.download("https://h/")
    let resumeData: ResumeData? = await withCheckedContinuation { done in
      download.cancel(byProducingResumeData: { done.resume(returning: $0) })
    }
    #expect(resumeData == nil)
    #expect(await download.response().error?.isExplicitlyCancelledError == true)
  }

  @available(*, deprecated)
  func errors() async {
    let session = session().0
    let request = session.request("https://h/").cancel()
    #expect(await request.response().error?.isExplicitlyCancelledError == true)
    session.cancelAndInvalidate()
    #expect(await session.request("https://h/").response().error?.isExplicitlyCancelledError == false)
  }

  @available(*, deprecated)
  func configured() async throws {
    let stubs = StubTransport { _ in .status(503) }
    let adapter = Interceptor.adapter { request in
      var request = request
      request.headerFields[.accept] = "a/b"
      return request
    }
    let manager = try ServerTrustManager(evaluators: ["h": DisabledTrustEvaluator()])
    let session = Session(
      configuration: .stubbed(by: stubs), interceptor: adapter, serverTrustManager: manager, redirectHandler: .doNotFollow,
      cachedResponseHandler: .doNotCache)
    #expect(session.configuration.settings.serverTrust === manager)
    #expect(session.configuration.redirectHandler != nil && session.configuration.cachedResponseHandler != nil)
    let folder = try TemporaryFolder()
    try folder.write("a.txt", "hello")
    let file = URL(filePath: folder.path + "/a.txt")
    let upload = session.upload(file, to: "https://h/").validate()
    #expect(await upload.response().error?.responseCode == 503)
    #expect(try await stubs.requests.first?.content() == Array("hello".utf8))
    #expect(stubs.requests.first?.headerFields[.accept] == "a/b")
    #expect(stubs.requests.first?.headerFields[.contentType] == "text/plain")
    #expect(RequestProgress(completed: 1, total: 2).fractionCompleted == 0.5)
    var form = MultipartFormData()
    form.append(file, withName: "file")
    form.append(Data([1, 2]), withName: "data", fileName: "a.bin", mimeType: "a/b")
    #expect(form.parts.map(\.name) == ["file", "data"] && form.parts.map(\.fileName) == ["a.txt", "a.bin"])
    #expect(URLEncodedFormParameterEncoder(destination: .httpBody).destination == .body)
  }

  @available(*, deprecated)
  func sessions() {
    #expect(AF === Session.shared)
    #expect(Session.default === Session.shared)
  }

  @available(*, deprecated)
  func completionHandlers() async throws {
    let request = session().0.request("https://h/").validate(statusCode: 200..<300).validate(contentType: ["application/json"])
    let decoded: AFDataResponse<User> = await withCheckedContinuation { done in
      request.responseDecodable(of: User.self) { done.resume(returning: $0) }
    }
    #expect(try decoded.value == User(name: "Ada"))
    let text = await withCheckedContinuation { done in request.responseString { done.resume(returning: $0) } }
    #expect(try text.value == #"{"name":"Ada"}"#)
    let data = await withCheckedContinuation { done in request.responseData { done.resume(returning: $0) } }
    #expect(try data.value.count == 14)
    let json = await withCheckedContinuation { done in request.responseJSON { done.resume(returning: $0) } }
    #expect(try json.value == ["name": "Ada"])
    let raw = await withCheckedContinuation { done in request.response { done.resume(returning: $0) } }
    #expect(raw.status == 200)
    #expect(raw.response?.statusCode == 200 && raw.response?.headers["content-type"] == "application/json")
  }

  @available(*, deprecated)
  func serializingTasks() async throws {
    let request = session().0.request("https://h/")
    #expect(try await request.serializingDecodable(User.self).value == User(name: "Ada"))
    #expect(try await request.serializingString().result.get() == #"{"name":"Ada"}"#)
    #expect(await request.serializingData().response.status == 200)
  }

  @available(*, deprecated)
  func encoders() async throws {
    let (session, stubs) = session()
    _ = await session.request("https://h/", method: .post, parameters: User(name: "Ada"), encoder: JSONParameterEncoder.default).response()
    _ = await session.request("https://h/", parameters: ["name": "Ada"], encoding: URLEncoding.default).response()
    let list = URLEncoding(arrayEncoding: .noBrackets)
    _ = await session.request("https://h/", parameters: ["a": [1, 2]], encoding: list).response()
    #expect(try await stubs.requests.first?.content() == Array(#"{"name":"Ada"}"#.utf8))
    #expect(stubs.requests.map(\.url) == ["https://h/", "https://h/?name=Ada", "https://h/?a=1&a=2"])
  }

  @available(*, deprecated)
  func handlers() async throws {
    let (session, stubs) = session(.text("x"))
    _ = await session.upload(multipartFormData: { $0.append([1], withName: "a") }, to: "https://h/").response()
    #expect(stubs.requests.first?.headerFields[.contentType]?.hasPrefix("multipart/form-data") == true)
    var text = ""
    for try await piece in session.streamRequest("https://h/").values(with: .string) { text += piece }
    #expect(text == "x")
    let policy = Interceptor(adapter: Interceptor(), retrier: RetryPolicy(retryLimit: 1))
    let request = session.request("https://h/", interceptor: policy).redirect(using: Redirector(behavior: .doNotFollow))
      .cacheResponse(using: ResponseCacher(behavior: .doNotCache)).authenticate(username: "u", password: "p")
    var command = ""
    request.cURLDescription { command = $0 }
    #expect(command.hasPrefix("curl "))
    #expect(await request.response().status == 200)
  }
}
