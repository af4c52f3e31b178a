import GarlandNetworking
import HTTPTypes
import TestSupport
import Testing
import TransferTestSupport

/// Tests the requests that resume an interrupted download, and the responses to them.
@Suite(.timeLimit(.minutes(15))) struct ResumeTests {
  let folder: TemporaryFolder
  let session = Session(.ephemeral)

  init() throws { folder = try TemporaryFolder() }

  private var target: DownloadTarget { DownloadTarget(path: folder.path + "/file", partial: .kept) }
  private static let partialNames = [".file.garland-partial", ".file.garland-partial.json"]
  private static let tag = "200 OK\r\nETag: \"a\""
  private typealias Answer = ScriptedServer.Answer

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

  @Test func `a partial response with trailer fields is refused if the whole file was requested`() async throws {
    let server = try RawServer { connection in
      _ = connection.readHead()
      connection.send("HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-4/11\r\nTransfer-Encoding: chunked\r\n\r\n")
      connection.send("5\r\nhello\r\n0\r\nX-End: 1\r\n\r\n")
    }
    let response = await session.download(server.url, to: target).response()
    #expect(response.error?.reason.kind == .invalidResponse)
    #expect(!folder.names.contains("file"))
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
  ]) func `if a resumed download does not get exactly the missing bytes, the whole file is downloaded again`(
    _ answers: [ScriptedServer.Answer]
  )
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
  func `if a resumed download receives more bytes than it requested, the partial file is deleted`(_ chunks: [String]) async throws {
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

  @Test func `a 206 response to a request without a range is accepted only if it contains the whole resource`() async throws {
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

  @Test func `if the partial file of a download has the full size, a conditional request confirms that it is complete`() async throws {
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

  @Test func `if resuming a download gives status 416, a conditional request confirms that the partial file is complete`() async throws {
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

  @Test func `if the server refuses to continue a download with an error status, the partial file is kept`() async throws {
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

  @Test func `if a download that cannot be resumed fails, its partial file is deleted`() async throws {
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

  @Test func `a second download to the path of a running download is refused`() async throws {
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
}
