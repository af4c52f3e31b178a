import GarlandNetworking
import GarlandSandbox
import HTTPTypes
import TestSupport
import Testing
import TransferTestSupport

/// Tests interrupted downloads that are resumed.
@Suite(.timeLimit(.minutes(15))) struct ResumeTests {
  let folder: TemporaryFolder
  let session = Session(.ephemeral)

  init() throws { folder = try TemporaryFolder() }

  private var target: DownloadTarget { DownloadTarget(path: folder.path + "/file", partial: .kept) }
  private static let partialNames = [".file.garland-partial", ".file.garland-partial.json"]
  private static let tag = "200 OK\r\nETag: \"a\""

  // MARK: On the wire

  @Test func `an interrupted download continues with a range request`() async throws {
    let server = try ScriptedServer([
      .broken(Self.tag, "hello ", of: 11), .whole("206 Partial Content\r\nETag: \"a\"\r\nContent-Range: bytes 6-10/11", "world"),
    ])
    let first = await session.download(server.url, to: target).validate().response()
    #expect(first.error?.reason.kind == .connectionLost || first.error?.reason.kind == .truncated)
    #expect(first.resumeData?.validator == .entityTag("\"a\""))
    #expect(first.resumeData?.length == 11)
    #expect(folder.names == Self.partialNames)
    #expect(try folder.read(".file.garland-partial") == Array("hello ".utf8))

    var digesting = target
    digesting.computesDigest = true
    let second = await session.download(server.url, to: digesting).validate().response()
    #expect(try folder.read("file") == Array("hello world".utf8))
    #expect(folder.names == ["file"])
    let response = try #require(second.response)
    #expect(response.status == .ok)
    #expect(response.headerFields[.contentLength] == "11")
    #expect(response.headerFields[.contentRange] == nil)
    #expect(response.decodedBodyBytes == 11)
    #expect(response.wireBodyBytes == 5)
    guard case .file(let file) = response.body else {
      Issue.record("no file")
      return
    }
    #expect(file.resumedAt == 6)
    #expect(file.size == 11)
    #expect(file.digest?.hex == "b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9")

    #expect(server.values("Range") == [nil, "bytes=6-"])
    #expect(server.values("If-Range") == [nil, "\"a\""])
    #expect(server.values("Accept-Encoding") == ["identity", "identity"])
  }

  @Test func `a retry continues an interrupted download`() async throws {
    let server = try ScriptedServer([
      .broken(Self.tag, "hello ", of: 11), .broken("206 P\r\nETag: \"a\"\r\nContent-Range: bytes 6-10/11", "wor", of: 5),
      .whole("206 P\r\nETag: \"a\"\r\nContent-Range: bytes 9-10/11", "ld"),
    ])
    var configuration = SessionConfiguration.ephemeral
    configuration.clock = TestClock().session
    configuration.interceptor = RetryPolicy(random: { 0 })
    let request = Session(configuration).download(server.url, to: target).validate()
    #expect(try await request.data == Array("hello world".utf8))
    #expect(request.retryCount == 2)
    #expect(server.values("Range") == [nil, "bytes=6-", "bytes=9-"])
  }

  /// The arguments are possible responses to a request for the missing bytes. None of them may be appended to
  /// the beginning of another resource.
  @Test(arguments: [
    // The whole resource, from servers without ranges or after a change.
    [ScriptedServer.Answer.whole("200 OK\r\nETag: \"b\"", "something else")],
    // A part of another resource, or from another offset: the whole is requested.
    [.whole("206 P\r\nETag: \"b\"\r\nContent-Range: bytes 6-13/14", "ing else"), .whole("200 OK\r\nETag: \"b\"", "something else")],
    [.whole("206 P\r\nETag: \"a\"\r\nContent-Range: bytes 5-13/14", "hing else"), .whole("200 OK", "something else")],
    [.whole("206 P\r\nContent-Range: bytes 6-10/11", "world"), .whole("200 OK", "something else")],
    // A part shorter or longer than its range.
    [.whole("206 P\r\nETag: \"a\"\r\nContent-Range: bytes 6-10/11", "wor"), .whole("200 OK", "something else")],
    [.whole("206 P\r\nETag: \"a\"\r\nContent-Range: bytes 6-10/11", "world!"), .whole("200 OK", "something else")],
    // According to the response, no bytes are missing.
    [
      .whole("416 R\r\nContent-Range: bytes */6", "no"), .whole("200 OK\r\nETag: \"b\"", "something else"),
    ],
  ]) func `if a response does not contain the requested range, the response replaces the partial file`(_ answers: [ScriptedServer.Answer])
    async throws
  {
    let server = try ScriptedServer([.broken(Self.tag, "hello ", of: 11)] + answers)
    _ = await session.download(server.url, to: target).response()
    let second = await session.download(server.url, to: target).validate().response()
    #expect(second.error == nil)
    #expect(try folder.read("file") == Array("something else".utf8))
    #expect(folder.names == ["file"])
    #expect(server.heads.count == answers.count + 1)
    #expect((server.values("Range").last ?? nil) == (answers.count == 1 ? "bytes=6-" : nil))
  }

  private static func chunked(_ chunks: [String]) -> Answer {
    let body = chunks.map { "\(String($0.utf8.count, radix: 16))\r\n\($0)\r\n" }.joined()
    return Answer(
      text: "HTTP/1.1 206 P\r\nETag: \"a\"\r\nContent-Range: bytes 6-10/11\r\nTransfer-Encoding: chunked\r\n\r\n\(body)0\r\n\r\n")
  }

  /// The length of a part in chunked transfer coding follows from its `Content-Range`.
  @Test func `if a response contains less than the requested range, the download can still be resumed`() async throws {
    let server = try ScriptedServer([
      .broken(Self.tag, "hello ", of: 11), Self.chunked(["wo", "r"]), .whole("206 P\r\nETag: \"a\"\r\nContent-Range: bytes 9-10/11", "ld"),
    ])
    _ = await session.download(server.url, to: target).response()
    let second = await session.download(server.url, to: target).validate().response()
    #expect(second.error?.reason == .truncated(received: 9, expected: 11))
    #expect(second.resumeData?.length == 11)
    #expect(folder.names == Self.partialNames)
    #expect(try await session.download(server.url, to: target).validate().string == "hello world")
    #expect(server.values("Range") == [nil, "bytes=6-", "bytes=9-"])
  }

  @Test(arguments: [["world, and more"], ["wor", "ld", ", and more"]])
  func `if a response contains more than the requested range, the partial file is discarded`(_ chunks: [String]) async throws {
    let server = try ScriptedServer([.broken(Self.tag, "hello ", of: 11), Self.chunked(chunks), .whole(Self.tag, "hello world")])
    _ = await session.download(server.url, to: target).response()
    let second = await session.download(server.url, to: target).validate().response()
    #expect(second.error?.reason.kind == .invalidResponse)
    #expect(second.resumeData == nil)
    // It is unknown which of the bytes are right.
    #expect(folder.names.isEmpty)
    #expect(try await session.download(server.url, to: target).validate().string == "hello world")
    #expect(server.values("Range") == [nil, "bytes=6-", nil])
  }

  @Test func `if a request has no range, a 206 response is refused unless it contains the whole resource`() async throws {
    let part = ScriptedServer.Answer.whole("206 P\r\nETag: \"b\"\r\nContent-Range: bytes 6-10/11", "world")
    let first = try ScriptedServer([part])
    let fresh = await session.download(first.url, to: target).validate().response()
    #expect(fresh.error?.reason.kind == .invalidResponse)
    #expect(folder.names.isEmpty)
    // A wrong part in response to a range request leaves the partial file unchanged.
    let server = try ScriptedServer([.broken(Self.tag, "hello ", of: 11), part, part])
    _ = await session.download(server.url, to: target).response()
    let second = await session.download(server.url, to: target).validate().response()
    #expect(second.error?.reason.kind == .invalidResponse)
    #expect(server.values("Range") == [nil, "bytes=6-", nil])
    #expect(folder.names == Self.partialNames)
    #expect(try folder.read(".file.garland-partial") == Array("hello ".utf8))
    // Some servers send 206 for the whole resource.
    let all = try ScriptedServer([.whole("206 P\r\nContent-Range: bytes 0-4/5", "hello")])
    let whole = DownloadTarget(path: folder.path + "/whole", partial: .kept)
    #expect(try await session.download(all.url, to: whole).validate().string == "hello")
  }

  @Test func `if the partial file has the full size, a conditional request confirms that it is complete`() async throws {
    let server = try ScriptedServer([Answer(text: "HTTP/1.1 304 Not Modified\r\nETag: \"a\"\r\n\r\n")])
    let path = try folder.write("begun", "hello")
    let data = ResumeData(url: server.url, path: path, validator: .entityTag("\"a\""), length: 5)
    let response = await session.download(resuming: data, to: DownloadTarget(path: folder.path + "/file")).validate().response()
    #expect(response.error == nil)
    #expect(response.status == 200)
    #expect(folder.names == ["file"])
    #expect(try folder.read("file") == Array("hello".utf8))
    #expect(server.values("If-None-Match") == ["\"a\""])
  }

  @Test func `after a 416, a conditional request confirms that the partial file is complete`() async throws {
    let server = try ScriptedServer([
      .whole("416 R\r\nContent-Range: bytes */5", "no"), Answer(text: "HTTP/1.1 304 Not Modified\r\n\r\n"),
    ])
    let path = try folder.write("begun", "hello")
    let data = ResumeData(url: server.url, path: path, validator: .entityTag("\"a\""))
    let request = session.download(resuming: data, to: DownloadTarget(path: folder.path + "/file", computesDigest: true)).validate()
    #expect(try await request.string == "hello")
    guard case .file(let file)? = request.response?.body else {
      Issue.record("no file")
      return
    }
    #expect(file.sha256 == "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824")
  }

  @Test func `if the server refuses the resumption with an error status, the partial file is kept`() async throws {
    let server = try ScriptedServer([
      .broken(Self.tag, "hello ", of: 11), .whole("503 Service Unavailable", "later"),
      .whole("206 P\r\nETag: \"a\"\r\nContent-Range: bytes 6-10/11", "world"),
    ])
    _ = await session.download(server.url, to: target).response()
    let refused = await session.download(server.url, to: target).validate().response()
    #expect(refused.error?.reason == .validation(.unacceptableStatus(503)))
    #expect(folder.names == Self.partialNames)
    #expect(try await session.download(server.url, to: target).validate().string == "hello world")
  }

  @Test func `a download that cannot be resumed leaves no partial file`() async throws {
    for head in [
      "200 OK", "200 OK\r\nETag: W/\"a\"", "200 OK\r\nETag: \"a\"\r\nAccept-Ranges: none", "206 P\r\nETag: \"a\"", "404 N\r\nETag: \"a\"",
    ] {
      let server = try ScriptedServer([.broken(head, "hello ", of: 11)])
      let response = await session.download(server.url, to: target).response()
      #expect(response.error != nil)
      #expect(response.resumeData == nil)
      #expect(folder.names.isEmpty)
    }
    // A POST, and a range of the caller.
    let post = try ScriptedServer([.broken(Self.tag, "hello ", of: 11)])
    #expect(await session.download(post.url, to: target, method: .post).response().resumeData == nil)
    let range = try ScriptedServer([.broken("206 P\r\nETag: \"a\"", "hello ", of: 11)])
    #expect(await session.download(range.url, to: target, headers: [.range: "bytes=2-"]).response().resumeData == nil)
    #expect(range.values("Range") == ["bytes=2-"])
    #expect(folder.names.isEmpty)
  }

  @Test func `a second download to the same partial file is refused`() async throws {
    let server = try RawServer { connection in
      guard connection.readRequest() != nil else { return }
      connection.send("HTTP/1.1 200 OK\r\nETag: \"a\"\r\nContent-Length: 11\r\n\r\nhello ")
      connection.readToEnd()
    }
    let first = session.download(server.url, to: target).resume()
    for await progress in first.downloadProgress where progress.completed == 6 { break }
    let second = await session.download(server.url, to: target).response()
    guard case .download(let file)? = second.error?.reason else {
      Issue.record("\(String(describing: second.error))")
      return
    }
    #expect(file.detail == "another download is writing it")
    let data = await first.cancelProducingResumeData()
    #expect(data?.length == 11)
    #expect(folder.names == Self.partialNames)
  }

  @Test func `if the file that describes a partial file is missing or invalid, the download starts at the first byte`() async throws {
    for (record, beginning) in [(nil, "HELLO "), ("{}", "HELLO "), ("other", "HELLO "), ("{", "")] as [(String?, String)] {
      let server = try ScriptedServer([.whole(Self.tag, "hello world")])
      try folder.write(".file.garland-partial", beginning)
      if let record {
        let data = ResumeData(url: server.url + "x", path: "", validator: .entityTag("\"a\""))
        try folder.write(".file.garland-partial.json", record == "other" ? String(decoding: data.json, as: UTF8.self) : record)
      }
      var replacing = target
      replacing.replacesExisting = true
      #expect(try await session.download(server.url, to: replacing).validate().string == "hello world")
      #expect(server.values("Range") == [nil])
      #expect(folder.names == ["file"])
    }
  }

  private typealias Answer = ScriptedServer.Answer

  // MARK: nginx

  /// Begins to download a file of several megabytes from a slow server, and cancels the download after the
  /// first bytes.
  private func begin(_ url: String, _ target: DownloadTarget) async -> ResumeData? {
    let request = session.download(url, to: target).validate().resume()
    for await progress in request.downloadProgress where progress.completed > 0 { break }
    return await request.cancelProducingResumeData()
  }

  private func makeFile(_ server: NginxServer, seed: UInt8) throws -> (path: String, name: String, bytes: [UInt8]) {
    let name = "resume-\(folder.path.split(separator: "/").last ?? "")"
    let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 / 251) &+ seed }
    let path = server.files + "/" + name
    try TemporaryFile.write(bytes, to: path)
    return (path, name, bytes)
  }

  @Test func `a download from nginx continues from its resume data`() async throws {
    let server = try NginxServer.shared()
    let (_, name, bytes) = try makeFile(server, seed: 1)
    let made = await begin(server.url + "/slow/" + name, DownloadTarget(path: folder.path + "/file"))
    let data = try #require(made)
    #expect(data.length == 3_000_000)
    let begun = folder.names
    #expect(begun.count == 1 && begun[0].hasSuffix(".part"))
    // The resume data as another process reads them. The file has the same tag at the fast URL.
    var again = try ResumeData(json: data.json)
    again.url = server.url + "/files/" + name
    let request = session.download(resuming: again, to: DownloadTarget(path: folder.path + "/other/file", createsDirectories: true))
      .validate()
    #expect(try await request.data == bytes)
    #expect(folder.names == ["other"])
    let response = try #require(request.response)
    #expect(response.status == .ok)
    #expect(response.wireBodyBytes < 3_000_000)
    #expect(response.decodedBodyBytes == 3_000_000)
  }

  @Test func `if a file has changed on nginx, the download starts at the first byte`() async throws {
    let server = try NginxServer.shared()
    let (path, name, _) = try makeFile(server, seed: 1)
    let begun = await begin(server.url + "/slow/" + name, target)
    var data = try #require(begun)
    #expect(folder.names == Self.partialNames)
    data.url = server.url + "/files/" + name
    let other = [UInt8](repeating: 7, count: 2_500_000)
    try TemporaryFile.write(other, to: path)
    let request = session.download(resuming: data, to: target).validate()
    #expect(try await request.data == other)
    #expect(folder.names == ["file"])
    guard case .file(let file)? = request.response?.body else {
      Issue.record("no file")
      return
    }
    #expect(file.resumedAt == nil)
  }

  @Test func `if a partial file has the full size, nginx confirms that it is complete`() async throws {
    let server = try NginxServer.shared()
    let (_, name, bytes) = try makeFile(server, seed: 3)
    let url = server.url + "/files/" + name
    let head = await session.request(url, method: .head).validate().response().response
    let tag = try #require(head?.headerFields[.eTag])
    for length in [Int64(bytes.count), nil] {
      let path = try folder.write("begun", bytes)
      let data = ResumeData(url: url, path: path, validator: .entityTag(tag), length: length)
      let target = DownloadTarget(path: folder.path + "/file", replacesExisting: true)
      let response = await session.download(resuming: data, to: target).validate().response()
      #expect(response.error == nil)
      #expect(response.response?.wireBodyBytes == 0)
      #expect(try folder.read("file") == bytes)
    }
    // With another tag an equal length proves nothing.
    let path = try folder.write("begun", [UInt8](repeating: 1, count: bytes.count))
    let data = ResumeData(url: url, path: path, validator: .entityTag("\"other\""))
    let target = DownloadTarget(path: folder.path + "/file", replacesExisting: true)
    #expect(try await session.download(resuming: data, to: target).validate().data == bytes)
  }

  // MARK: The sandbox

  @Test func `the sandbox continues a download only if the entity tag is still the same`() async throws {
    try await withSandbox { session, sandbox in
      let whole = try await session.request(sandbox.url + "/range/300000").validate().data
      let path = try folder.write("begun", Array(whole.prefix(100_001)))
      for (etag, ranges, resumedAt) in [("range-300000-1", "1", 100_001), ("range-300000-1", "0", nil), ("x", "1", nil)]
        as [(String, String, Int64?)]
      {
        let url = sandbox.url + "/range/300000?ranges=\(ranges)"
        try folder.write("begun", Array(whole.prefix(100_001)))
        let data = ResumeData(url: url, path: path, validator: .entityTag("\"\(etag)\""), length: 300_000)
        let target = DownloadTarget(path: folder.path + "/file", replacesExisting: true)
        let request = session.download(resuming: data, to: target).validate()
        #expect(try await request.data == whole)
        guard case .file(let file)? = request.response?.body else {
          Issue.record("no file")
          return
        }
        #expect(file.resumedAt == resumedAt)
        #expect(folder.names == ["file"])
      }
    }
  }

  @Test(arguments: ["reset", "truncate"]) func `a reset or truncated download without a validator leaves no file`(_ fault: String)
    async throws
  {
    try await withSandbox { session, sandbox in
      let response = await session.download(sandbox.url + "/fault/" + fault, to: target).validate().response()
      #expect(response.error != nil)
      #expect(response.resumeData == nil)
      #expect(folder.names.isEmpty)
    }
  }

  @Test func `if a download is cancelled, the error of each serializer contains the resume data`() async throws {
    struct Text: Decodable, Sendable { var string: String }
    let server = try RawServer { connection in
      guard connection.readRequest() != nil else { return }
      connection.send("HTTP/1.1 200 OK\r\nETag: \"a\"\r\nContent-Length: 11\r\n\r\nhello ")
      connection.readToEnd()
    }
    let request = session.download(server.url, to: DownloadTarget(path: folder.path + "/file")).resume()
    for await progress in request.downloadProgress where progress.completed == 6 { break }
    request.cancel(producingResumeData: true)
    let data = try #require(await request.response().resumeData)
    #expect(await request.response(of: Text.self).resumeData == data)
    #expect(await request.response(.string).resumeData == data)
    #expect(await request.cancelProducingResumeData() == data)
  }

  @Test func `if a download is cancelled without a request for its resume data, no partial file remains`() async throws {
    let server = try RawServer { connection in
      guard connection.readRequest() != nil else { return }
      connection.send("HTTP/1.1 200 OK\r\nETag: \"a\"\r\nContent-Length: 11\r\n\r\nhello ")
      connection.readToEnd()
    }
    let plain = DownloadTarget(path: folder.path + "/file")
    let request = session.download(server.url, to: plain).resume()
    for await progress in request.downloadProgress where progress.completed == 6 { break }
    #expect(folder.names.count == 1)
    request.cancel()
    let response = await request.response()
    #expect(response.error?.reason == .cancelled)
    #expect(response.resumeData == nil)
    #expect(folder.names.isEmpty)
    // The download was never sent, or has already ended.
    #expect(await session.download(server.url, to: plain).cancelProducingResumeData() == nil)
    let quick = try ScriptedServer([.whole(Self.tag, "hello world")])
    let done = session.download(quick.url, to: plain).validate()
    _ = try await done.file
    #expect(await done.cancelProducingResumeData() == nil)
    #expect(folder.names == ["file"])
  }
}
