import GarlandNetworking
import HTTPTypes
import TestSupport
import Testing
import TransferTestSupport

/// Tests downloads whose connection breaks, with targets that do not ask for their partial file.
@Suite(.timeLimit(.minutes(15))) struct BrokenDownloadTests {
  let folder: TemporaryFolder
  let session = Session(.ephemeral)

  init() throws { folder = try TemporaryFolder() }

  private var target: DownloadTarget { DownloadTarget(path: folder.path + "/file") }
  private static let tag = "200 OK\r\nETag: \"a\""
  private static let rest = ScriptedServer.Answer.whole("206 P\r\nETag: \"a\"\r\nContent-Range: bytes 6-10/11", "world")

  /// Waits until the folder is empty. The last reference to a request may be that of the task that ends it.
  private func waitForNoFile() async {
    while !folder.names.isEmpty { await Task.yield() }
  }

  @Test func `a download whose connection breaks has resume data, with which the download can be continued`() async throws {
    let server = try ScriptedServer([.broken(Self.tag, "hello ", of: 11), Self.rest])
    let broken = await session.download(server.url, to: target).validate().response()
    let data = try #require(broken.resumeData)
    #expect(data.validator == .entityTag("\"a\"") && data.length == 11)
    #expect(folder.names.count == 1)
    let other = DownloadTarget(path: folder.path + "/other")
    #expect(try await session.download(resuming: data, to: other).validate().string == "hello world")
    #expect(server.values("Range") == [nil, "bytes=6-"])
    #expect(folder.names == ["other"])
  }

  @Test func `the partial file of a broken download is deleted when the program releases the download's resume data`() async throws {
    let server = try ScriptedServer([.broken(Self.tag, "hello ", of: 11)])
    do {
      let response = await session.download(server.url, to: target).response()
      #expect(response.resumeData != nil)
      #expect(folder.names.count == 1)
      withExtendedLifetime(response) {}
    }
    await waitForNoFile()
  }

  @Test func `the partial file of a broken download is kept if its resume data have been written as JSON`() async throws {
    let server = try ScriptedServer([.broken(Self.tag, "hello ", of: 11), Self.rest])
    let json = try await #require(session.download(server.url, to: target).response().resumeData).json
    while !session.runningRequests.isEmpty { await Task.yield() }
    #expect(folder.names.count == 1)
    #expect(try await session.download(resuming: ResumeData(json: json), to: target).validate().string == "hello world")
    #expect(folder.names == ["file"])
  }

  @Test func `after two failed attempts to resume a download, the partial file is removed when all resume data are deallocated`()
    async throws
  {
    let server = try ScriptedServer([
      .broken(Self.tag, "hello ", of: 11), .broken("206 P\r\nETag: \"a\"\r\nContent-Range: bytes 6-10/11", "wor", of: 5),
      .broken("200 OK\r\nETag: \"b\"", "other ", of: 12),
    ])
    do {
      let first = try await #require(session.download(server.url, to: target).response().resumeData)
      let second = try await #require(session.download(resuming: first, to: target).response().resumeData)
      #expect(second.path == first.path)
      // The resource has changed: its new content replaces that of the partial file.
      let third = try await #require(session.download(resuming: second, to: target).response().resumeData)
      #expect(third.validator == .entityTag("\"b\""))
      #expect(!folder.names.isEmpty)
    }
    await waitForNoFile()
  }

  @Test func `a retry of a broken download starts at the first byte and removes the partial file`() async throws {
    let server = try ScriptedServer([.broken(Self.tag, "hello ", of: 11), .whole(Self.tag, "hello world")])
    var configuration = SessionConfiguration.ephemeral
    configuration.clock = TestClock().session
    configuration.interceptor = RetryPolicy(random: { 0 })
    #expect(try await Session(configuration).download(server.url, to: target).validate().string == "hello world")
    #expect(server.values("Range") == [nil, nil])
    while folder.names != ["file"] { await Task.yield() }
  }

  @Test(arguments: [
    "200 OK", "200 OK\r\nETag: W/\"a\"", "200 OK\r\nETag: \"a\"\r\nAccept-Ranges: none", "206 P\r\nETag: \"a\"", "404 N\r\nETag: \"a\"",
  ])
  func `a broken download has no resume data if the server can't continue it, for example because there is no ETag`(_ head: String)
    async throws
  {
    let server = try ScriptedServer([.broken(head, "hello ", of: 11)])
    let response = await session.download(server.url, to: target).response()
    #expect(response.error != nil)
    #expect(response.resumeData == nil)
    #expect(folder.names.isEmpty)
  }

  @Test func `a broken download has no resume data if the caller has asked to discard partial files`() async throws {
    let server = try ScriptedServer([.broken(Self.tag, "hello ", of: 11)])
    let discarding = DownloadTarget(path: folder.path + "/file", partial: .discarded)
    #expect(await session.download(server.url, to: discarding).response().resumeData == nil)
    #expect(folder.names.isEmpty)
  }

  @Test func `a download that exceeds the size limit for bodies has no resume data`() async throws {
    let server = try ScriptedServer([.whole(Self.tag, "hello world")])
    let response = await session.download(server.url, to: target) { $0.settings.maximumBodyBytes = 6 }.response()
    #expect(response.error?.reason.kind == .bodyTooLarge)
    #expect(response.resumeData == nil)
    #expect(folder.names.isEmpty)
  }
}
