import GarlandNetworking
import GarlandSandbox
import HTTPTypes
import TestSupport
import Testing
import TransferTestSupport

/// Tests downloads from nginx and from the sandbox that are resumed.
@Suite(.timeLimit(.minutes(15))) struct ResumeServerTests {
  let folder: TemporaryFolder
  let session = Session(.ephemeral)

  init() throws { folder = try TemporaryFolder() }

  private var target: DownloadTarget { DownloadTarget(path: folder.path + "/file", partial: .kept) }

  /// Begins to download a file of several megabytes from a slow server, and cancels the download after the
  /// first bytes.
  private func begin(_ url: String, _ target: DownloadTarget) async -> ResumeData? {
    let request = session.download(url, to: target).validate().resume()
    for await progress in request.downloadProgress where progress.completed > 0 { break }
    return await request.cancelProducingResumeData()
  }

  private func makeFile(_ server: NginxServer, seed: UInt8) throws -> (path: String, name: String, bytes: [UInt8]) {
    let name = "resume-\(folder.path.split(separator: "/").last ?? "")"
    // The bytes repeat after 64,256; a debug build is slow in calculating each of 3,000,000.
    let block = (0..<64_256).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 / 251) &+ seed }
    let bytes = Array((0..<47).reduce(into: [UInt8]()) { bytes, _ in bytes += block }.prefix(3_000_000))
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

  @Test func `if a file has changed on the nginx server, a resumed download starts again at the first byte`() async throws {
    let server = try NginxServer.shared()
    let (path, name, _) = try makeFile(server, seed: 1)
    let begun = await begin(server.url + "/slow/" + name, target)
    var data = try #require(begun)
    #expect(folder.names == [".file.garland-partial", ".file.garland-partial.json"])
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

  @Test func `if a partial file has the full size of the download, nginx confirms that the file is complete`() async throws {
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

  @Test(arguments: ["reset", "truncate"])
  func `if a response has neither ETag nor Last-Modified, a reset or truncated download leaves no file`(_ fault: String)
    async throws
  {
    try await withSandbox { session, sandbox in
      let response = await session.download(sandbox.url + "/fault/" + fault, to: target).validate().response()
      #expect(response.error != nil)
      #expect(response.resumeData == nil)
      #expect(folder.names.isEmpty)
    }
  }
}
