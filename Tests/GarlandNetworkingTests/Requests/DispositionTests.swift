import GarlandNetworking
import GarlandSandbox
import TestSupport
import Testing

/// Tests decisions about a response before its body is read.
@Suite(.timeLimit(.minutes(15))) struct DispositionTests {
  @Test func `if the onResponse closure allows a response, its body is read into memory`() async throws {
    try await withSandbox { (session, sandbox) async throws in
      let request = session.request(sandbox.url + "/bytes/100000").onResponse { head in head.status == .ok ? .allow : .cancel }
      #expect(try await request.validate().data.count == 100_000)
    }
  }

  @Test func `if the onResponse closure returns 'cancel', the request fails before the body is received`() async throws {
    let server = try RawServer { connection in
      _ = connection.readRequest()
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n")
      _ = connection.readRequest()
    }
    let response = await Session(.ephemeral).request(server.url).onResponse { _ in .cancel }.response()
    #expect(response.error?.reason == .cancelled)
  }

  @Test func `a closure that is passed to onResponse can turn the response into a download`() async throws {
    let folder = try TemporaryFolder()
    try await withSandbox { (session, sandbox) async throws in
      let target = DownloadTarget(path: folder.path + "/data")
      let request = session.request(sandbox.url + "/bytes/300000").onResponse { _ in .becomeDownload(target) }
      #expect(await request.validate().response().error == nil)
      #expect(request.file == folder.path + "/data")
      #expect(try folder.read("data").count == 300_000)
    }
  }

  @Test func `if onResponse turns a response into a download that fails validation, no file remains`() async throws {
    let folder = try TemporaryFolder()
    try await withSandbox { (session, sandbox) async throws in
      let target = DownloadTarget(path: folder.path + "/data")
      let request = session.request(sandbox.url + "/status/404").onResponse { _ in .becomeDownload(target) }
      #expect(await request.validate().response().error?.reason == .validation(.unacceptableStatus(404)))
      #expect(request.file == nil)
    }
    #expect(folder.names.isEmpty)
  }

  @Test func `if onResponse turns a response into a download and the target file exists, the request fails`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("data", [1])
    try await withSandbox { (session, sandbox) async throws in
      let target = DownloadTarget(path: folder.path + "/data")
      let request = session.request(sandbox.url + "/bytes/10").onResponse { _ in .becomeDownload(target) }
      #expect(await request.response().error?.reason.kind == .download)
    }
    #expect(try folder.read("data") == [1])
  }

  @Test func `the session's size limit for bodies also applies to a response that the onResponse closure allows`() async throws {
    var configuration = SessionConfiguration.ephemeral
    configuration.settings.maximumBodyBytes = 1000
    try await withSandbox(configuration) { (session, sandbox) async throws in
      let request = session.request(sandbox.url + "/bytes/100000").onResponse { _ in .allow }
      #expect(await request.response().error?.reason == .bodyTooLarge(limit: 1000))
    }
  }

  @Test func `the onResponse closure is not called for a redirect that is followed`() async throws {
    let session = Session(.stubbed(by: ["https://h/a": .redirect(to: "/b"), "https://h/b": .text("b")] as StubTransport))
    let request = session.request("https://h/a").onResponse { head in head.status.code == 200 ? .allow : .cancel }
    #expect(try await request.string == "b")
  }
}
