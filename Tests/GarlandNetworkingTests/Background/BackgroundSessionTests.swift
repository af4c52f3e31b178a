import GarlandNetworking
import Glibc
import HTTPTypes
import Synchronization
import TestSupport
import Testing
import TransferTestSupport

/// Tests transfers that outlive the process.
@Suite(.timeLimit(.minutes(15))) struct BackgroundSessionTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func open(_ identifier: String = "test", _ change: (inout SessionConfiguration) -> Void = { _ in }) throws -> BackgroundSession {
    var configuration = SessionConfiguration.background(identifier)
    change(&configuration)
    return try BackgroundSession(configuration, folder: folder.path + "/journals")
  }

  private func results(_ session: BackgroundSession, _ count: Int) async -> [BackgroundResult] {
    var found: [BackgroundResult] = []
    if count == 0 { return found }
    for await result in session.results {
      found.append(result)
      if found.count == count { break }
    }
    return found
  }

  @Test func `a background session sends the header fields of its configuration`() async throws {
    let heads = Collected<String>()
    let server = try RawServer { connection in
      while let (head, _) = connection.readRequest() {
        heads.add(head)
        connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
      }
    }
    let session = try open { $0.headerFields[.authorization] = "Bearer 123456" }
    try await session.download(server.url, to: DownloadTarget(path: folder.path + "/file"))
    #expect(await results(session, 1).count == 1)
    #expect(heads.all.first?.contains("Authorization: Bearer 123456\r\n") == true)
    await session.finishAndInvalidate()
  }

  @Test func `a background session uploads and downloads, and delivers the results of both tasks`() async throws {
    let server = try NginxServer.shared()
    let session = try open()
    let file = try folder.write("report.json", "{\"a\":1}")
    let upload = try await session.upload(file: file, to: server.url + "/sink", method: .put, tag: "up")
    let download = try await session.download(server.url + "/json", to: DownloadTarget(path: folder.path, name: .suggested), tag: "down")
    #expect(upload.id == 1 && download.id == 2)
    #expect(upload.headerFields[.contentType] == "application/json")
    let found = await results(session, 2)
    for result in found {
      guard case .finished(let response) = result.outcome else {
        Issue.record("\(result)")
        continue
      }
      #expect(response.status == 200)
      if result.task.tag == "up" {
        #expect(String(decoding: response.content, as: UTF8.self).hasPrefix("7 "))
      } else {
        #expect(response.path == folder.path + "/json")
        #expect(try folder.read("json").count == 200)
      }
    }
    #expect(Set(found.map(\.task.id)) == [1, 2])
    #expect(await session.tasks.isEmpty)
    await session.finishAndInvalidate()
    #expect(folder.names == ["journals", "json", "report.json"])
    await #expect(throws: NetworkingError.self) { try await session.upload(file: file, to: server.url + "/sink") }
    // The results were delivered and are not delivered again.
    let next = try open()
    await next.finishAndInvalidate()
    #expect(await results(next, 1).isEmpty)
  }

  @Test func `if a session did not read the result of a background task, a later session delivers the result once`() async throws {
    let server = try NginxServer.shared()
    let first = try open()
    try await first.download(server.url + "/json", to: DownloadTarget(path: folder.path + "/a"), tag: "a")
    try await first.download(server.url + "/status/404", to: DownloadTarget(path: folder.path + "/b"), tag: "b")
    await first.finishAndInvalidate()
    let second = try open()
    let found = await results(second, 2)
    #expect(Set(found.compactMap(\.task.tag)) == ["a", "b"])
    for result in found where result.task.tag == "b" {
      guard case .failed(let failure) = result.outcome else {
        Issue.record("\(result)")
        continue
      }
      #expect(failure.kind == .validation && failure.status == 404)
    }
    #expect(folder.names == ["a", "journals"])
    await second.close()
    #expect(await results(second, 1).isEmpty)
    let third = try open()
    await third.close()
    #expect(await results(third, 1).isEmpty)
  }

  @Test func `a closed background session's transfers continue in the next session`() async throws {
    let server = try HalfServer()
    let file = try folder.write("up", "hello world")
    let first = try open()
    try await first.download(server.url, to: DownloadTarget(path: folder.path + "/down"), tag: "down")
    try await first.upload(file: file, to: server.url + "-up", tag: "up")
    await server.waitForHalves()
    // Both are stopped in the middle.
    while (try? folder.read(".down.garland-partial").count) != 6 { await Task.yield() }
    await first.close()
    #expect(folder.names.contains(".down.garland-partial.json"))

    let second = try open()
    #expect(await second.tasks.map(\.tag) == ["down", "up"])
    let found = await results(second, 2)
    #expect(Set(found.compactMap(\.task.tag)) == ["down", "up"])
    for result in found {
      guard case .finished = result.outcome else {
        Issue.record("\(result)")
        continue
      }
    }
    #expect(try folder.read("down") == Array("hello world".utf8))
    #expect(server.uploads == ["hello world"])
    #expect(server.ranges == ["bytes=6-"])
    await second.finishAndInvalidate()
  }

  @Test func `a killed process loses no background transfer`() async throws {
    let server = try HalfServer()
    let file = try folder.write("up", "hello world")
    let child = try ChildRole.start(
      "background", test: "a background session in a child process begins an upload and a download",
      ["URL": server.url, "FILE": file, "FOLDER": folder.path])
    #expect(await child.sees("both have begun"))
    // Only one process can open the journal.
    do throws(NetworkingError) {
      _ = try BackgroundSession(.background("test"), folder: folder.path + "/journals")
      Issue.record("two have it")
    } catch {
      #expect(error.reason == .background(.inUse(identifier: "test")))
    }
    child.signal(SIGKILL)
    #expect(await child.result.status == 128 + SIGKILL)

    let session = try open()
    let found = await results(session, 2)
    #expect(Set(found.compactMap(\.task.tag)) == ["down", "up"])
    #expect(found.map(\.task.headerFields[.authorization]) == ["Bearer secret", "Bearer secret"])
    #expect(try folder.read("down") == Array("hello world".utf8))
    #expect(server.ranges == ["bytes=6-"])
    #expect(server.uploads == ["hello world"])
    await session.finishAndInvalidate()
    var status = stat()
    #expect(stat(folder.path + "/journals/test/journal", &status) == 0 && status.st_mode & 0o077 == 0)
  }

  @Test(.enabled(if: ChildRole.current == "background"))
  func `a background session in a child process begins an upload and a download`() async throws {
    let folder = ChildRole.value("FOLDER")
    let session = try BackgroundSession(.background("test"), folder: folder + "/journals")
    let url = ChildRole.value("URL")
    let target = DownloadTarget(path: folder + "/down")
    let down = try await session.download(url, to: target, headers: [.authorization: "Bearer secret"], tag: "down")
    try await session.upload(file: ChildRole.value("FILE"), to: url + "-up", headers: [.authorization: "Bearer secret"], tag: "up")
    #expect(await session.tasks.count == 2)
    while session.progress(of: down.id) == nil { await Task.yield() }
    for await step in try #require(session.progress(of: down.id)) where step.completed == 6 { break }
    ChildRole.say("both have begun")
    // The task waits until the process is killed.
    let never = AsyncStream<Void> { _ in }
    for await _ in never {}
    await session.close()
  }

  @Test func `a background download whose file was moved before a crash is not downloaded again`() async throws {
    // The state after a process that ended right after the file was moved.
    let server = try NginxServer.shared()
    let first = try open()
    try await first.download(server.url + "/json", to: DownloadTarget(path: folder.path + "/a"))
    await first.finishAndInvalidate()
    let bytes = try folder.read("journals/test/journal")
    let lines = bytes.split(separator: UInt8(ascii: "\n")).filter { !String(decoding: $0, as: UTF8.self).contains("{\"ended\":") }
    try folder.write("journals/test/journal", Array(lines.joined(separator: [UInt8(ascii: "\n")])) + [UInt8(ascii: "\n")])
    let second = try open()
    guard case .finished(let response)? = await results(second, 1).first?.outcome else {
      Issue.record("it was done again")
      return
    }
    #expect(response.path == folder.path + "/a")
    await second.finishAndInvalidate()
  }

  @Test func `a cancelled background task is reported as cancelled and leaves no file`() async throws {
    let server = try HalfServer()
    let session = try open()
    let task = try await session.download(server.url, to: DownloadTarget(path: folder.path + "/down"))
    while (try? folder.read(".down.garland-partial").count) != 6 { await Task.yield() }
    session.cancel(task.id)
    guard case .failed(let failure)? = await results(session, 1).first?.outcome else {
      Issue.record("it was not cancelled")
      return
    }
    #expect(failure.kind == .cancelled)
    #expect(folder.names == ["journals"])
    let later = try await session.upload(file: "/etc/hostname", to: server.url, after: .seconds(3600))
    #expect((later.earliestBegin ?? 0) >= later.created + 3600)
    await session.cancelAndInvalidate()
    let next = try open()
    #expect(await results(next, 1).first?.task.id == later.id)
    await next.close()
  }

  @Test func `a background task is retried until its deadline`() async throws {
    let clock = TestClock()
    let nobody = ReservedPort()
    defer { withExtendedLifetime(nobody) {} }
    let port = nobody.number
    let session = try open {
      $0.clock = clock.session
      $0.settings.deadline = .seconds(100)
    }
    try await session.upload(file: "/etc/hostname", to: "http://127.0.0.1:\(port)/")
    guard case .failed(let failure)? = await results(session, 1).first?.outcome else {
      Issue.record("it was sent")
      return
    }
    #expect(failure.kind == .refused || failure.kind == .timeout)
    #expect(clock.waits.count >= 6)
    await session.finishAndInvalidate()
    // A task whose deadline has passed is not started.
    let early = try open { $0.settings.deadline = .seconds(100) }
    let missing = try await early.upload(file: folder.path + "/nothing", to: "http://127.0.0.1:\(port)/")
    guard case .failed(let upload)? = await results(early, 1).first?.outcome else {
      Issue.record("it was sent")
      return
    }
    #expect(missing.id == 2 && upload.kind == .upload)
    await early.finishAndInvalidate()
  }

  @Test func `a background session refuses invalid configurations, URLs and folders`() async throws {
    for configuration in [SessionConfiguration.default, .background(""), .background("..")] {
      do throws(NetworkingError) {
        _ = try BackgroundSession(configuration, folder: folder.path)
        Issue.record("it was made")
      } catch {
        #expect(error.reason.kind == .background)
      }
    }
    let session = try open()
    for url in ["data:,x", "nonsense", ""] {
      await #expect(throws: NetworkingError.self) { try await session.download(url, to: DownloadTarget(path: "x")) }
    }
    try folder.write("file", "")
    #expect(throws: NetworkingError.self) { try BackgroundSession(.background("a"), folder: folder.path + "/file") }
    await session.close()
  }
}

/// A server that sends half of a download and reads half of an upload the first time, and all of it later.
private final class HalfServer: Sendable {
  private final class Seen: Sendable {
    let state = Mutex((halves: 0, uploads: [String](), ranges: [String]()))
  }
  private let seen = Seen()
  private let server: RawServer
  var url: String { server.url + "/file" }
  var uploads: [String] { seen.state.withLock { $0.uploads } }
  var ranges: [String] { seen.state.withLock { $0.ranges } }

  func waitForHalves() async { while seen.state.withLock({ $0.halves }) < 2 { await Task.yield() } }

  init() throws {
    let seen = seen
    let counter = Counter()
    server = try RawServer { connection in
      while true {
        let head = connection.readHead()
        if head.isEmpty { return }
        let range = head.split(separator: "\r\n").first { $0.hasPrefix("Range: ") }.map { String($0.dropFirst(7)) }
        if head.hasPrefix("POST") {
          if counter.next() == 1 {
            _ = connection.read(5)
            seen.state.withLock { $0.halves += 1 }
            connection.readToEnd()
            return
          }
          let body = connection.read(11)
          seen.state.withLock { $0.uploads.append(String(decoding: body, as: UTF8.self)) }
          connection.send("HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n")
        } else if let range {
          seen.state.withLock { $0.ranges.append(range) }
          connection.send("HTTP/1.1 206 P\r\nETag: \"a\"\r\nContent-Range: bytes 6-10/11\r\nContent-Length: 5\r\n\r\nworld")
        } else {
          connection.send("HTTP/1.1 200 OK\r\nETag: \"a\"\r\nContent-Length: 11\r\n\r\nhello ")
          seen.state.withLock { $0.halves += 1 }
          connection.readToEnd()
          return
        }
      }
    }
  }

  private final class Counter: Sendable {
    private let count = Atomic<Int>(0)
    func next() -> Int { count.wrappingAdd(1, ordering: .relaxed).newValue }
  }
}
