import GarlandNetworking
import Glibc
import TestSupport
import Testing
import TransferTestSupport

/// Tests a download that one process begins and another process completes, only with the resume data of the
/// first process.
@Suite(.timeLimit(.minutes(15))) struct ResumeAcrossProcessesTests {
  @Test func `a second process resumes a download from the resume data of the first`() async throws {
    let server = try NginxServer.shared()
    let folder = try TemporaryFolder()
    let url = server.url + "/slow/big.bin"
    let child = try ChildRole.start(
      "begins", test: "the child process for a test of resumed downloads cancels its download and writes the resume data to a file",
      ["URL": url, "FOLDER": folder.path])
    let result = await child.result
    #expect(result.status == 0, "\(result.output.suffix(2_000))\(result.error.suffix(2_000))")
    var data = try ResumeData(json: try folder.read("resume.json"))
    let begun = try folder.read(String(data.path.dropFirst(folder.path.utf8.count + 1)))
    #expect(!begun.isEmpty)
    data.url = server.url + "/files/big.bin"
    let request = Session(.ephemeral).download(resuming: data, to: DownloadTarget(path: folder.path + "/big.bin")).validate()
    let content = try await request.data
    #expect(content == (try await Session(.ephemeral).request(data.url).validate().data))
    guard case .file(let file)? = request.response?.body else {
      Issue.record("no file")
      return
    }
    #expect(file.resumedAt == Int64(begun.count))
    #expect(folder.names.sorted() == ["big.bin", "resume.json"])
  }

  /// The first process may also be killed: the next one continues the partial file beside the
  /// target.
  @Test func `if a process is killed during a download, the next process continues the download`() async throws {
    let server = try RawServer { connection in
      while let (head, _) = connection.readRequest() {
        if head.contains("Range: bytes=6-\r\n") {
          connection.send("HTTP/1.1 206 P\r\nETag: \"a\"\r\nContent-Range: bytes 6-10/11\r\nContent-Length: 5\r\n\r\nworld")
        } else {
          connection.send("HTTP/1.1 200 OK\r\nETag: \"a\"\r\nContent-Length: 11\r\n\r\nhello ")
          connection.readToEnd()
        }
      }
    }
    let folder = try TemporaryFolder()
    let child = try ChildRole.start(
      "is killed", test: "the child process for a test of interrupted downloads receives half of a file and waits for SIGKILL",
      ["URL": server.url, "FOLDER": folder.path])
    #expect(await child.sees("a half of it is there"))
    child.signal(SIGKILL)
    #expect(await child.result.status == 128 + SIGKILL)
    #expect(folder.names == [".file.garland-partial", ".file.garland-partial.json"])
    let target = DownloadTarget(path: folder.path + "/file", partial: .kept)
    let request = Session(.ephemeral).download(server.url, to: target).validate()
    #expect(try await request.string == "hello world")
    guard case .file(let file)? = request.response?.body else {
      Issue.record("no file")
      return
    }
    #expect(file.resumedAt == 6)
    #expect(folder.names == ["file"])
  }

  @Test(.enabled(if: ChildRole.current == "is killed"))
  func `the child process for a test of interrupted downloads receives half of a file and waits for SIGKILL`() async throws {
    let target = DownloadTarget(path: ChildRole.value("FOLDER") + "/file", partial: .kept)
    let request = Session(.ephemeral).download(ChildRole.value("URL"), to: target).resume()
    for await progress in request.downloadProgress where progress.completed == 6 { ChildRole.say("a half of it is there") }
  }

  @Test(.enabled(if: ChildRole.current == "begins"))
  func `the child process for a test of resumed downloads cancels its download and writes the resume data to a file`() async throws {
    let folder = ChildRole.value("FOLDER")
    let request = Session(.ephemeral).download(ChildRole.value("URL"), to: DownloadTarget(path: folder + "/big.bin"))
      .validate().resume()
    for await progress in request.downloadProgress where progress.completed > 0 { break }
    let data = try #require(await request.cancelProducingResumeData())
    try TemporaryFile.write(data.json, to: folder + "/resume.json")
  }
}
