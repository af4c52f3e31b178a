import GarlandNetworking
import TestSupport
import Testing
import TransferTestSupport

/// Tests of the resume data of downloads that are cancelled.
@Suite(.timeLimit(.minutes(15))) struct CancelledDownloadTests {
  let folder: TemporaryFolder
  let session = Session(.ephemeral)

  init() throws { folder = try TemporaryFolder() }

  @Test func `if a download is cancelled, the resume data is available with every response serializer`() async throws {
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
    let quick = try ScriptedServer([.whole("200 OK\r\nETag: \"a\"", "hello world")])
    let done = session.download(quick.url, to: plain).validate()
    _ = try await done.file
    #expect(await done.cancelProducingResumeData() == nil)
    #expect(folder.names == ["file"])
  }
}
