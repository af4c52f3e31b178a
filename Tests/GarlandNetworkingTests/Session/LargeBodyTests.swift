import GarlandNetworking
import Glibc
import TestSupport
import Testing
import TransferTestSupport

/// Tests that a gigabyte in both directions does not increase the memory of a process.
@Suite(.timeLimit(.minutes(15))) struct LargeBodyTests {
  private static let size = 1_000_000_000

  @Test func `a process that sends and receives a gigabyte needs less than 24 MB of memory`() async throws {
    let server = try NginxServer.shared()
    let folder = try TemporaryFolder()
    let name = "huge-\(getpid())"
    let path = server.files + "/" + name
    // A sparse file takes no space.
    try TemporaryFile.write([1], to: path)
    defer { unlink(path) }
    try #require(truncate(path, off_t(Self.size)) == 0)
    let child = try ChildRole.start(
      "large bodies", test: "a child process prints how much its memory grows while it sends and receives a gigabyte",
      ["URL": server.url, "NAME": name, "PATH_": path, "FOLDER": folder.path])
    let result = await child.result
    #expect(result.status == 0, "\(result.output.suffix(2_000))\(result.error.suffix(2_000))")
    let grown = result.output.split(separator: "\n").compactMap { $0.hasPrefix("grown ") ? Int($0.dropFirst(6)) : nil }
    #expect(grown.count == 3)
    for bytes in grown { #expect(bytes < 24_000_000, "\(bytes) bytes more") }
  }

  @Test(.enabled(if: ChildRole.current == "large bodies"))
  func `a child process prints how much its memory grows while it sends and receives a gigabyte`() async throws {
    let url = ChildRole.value("URL")
    let name = ChildRole.value("NAME")
    let session = Session(.ephemeral)
    // The first transfers of a process allocate memory once.
    _ = try await session.download(url + "/files/big.bin", to: DownloadTarget(path: ChildRole.value("FOLDER") + "/first")).validate().file
    unlink(ChildRole.value("FOLDER") + "/first")
    _ = try await session.upload(
      file: ChildRole.value("PATH_"), to: url + "/sink", modify: { $0.body = .file(path: ChildRole.value("PATH_"), length: 10_000_000) }
    )
    .validate().string
    let before = ChildRole.peakMemory

    let target = DownloadTarget(path: ChildRole.value("FOLDER") + "/down")
    let file = try await session.download(url + "/files/" + name, to: target).validate().file
    var status = stat()
    #expect(stat(file, &status) == 0 && Int(status.st_size) == Self.size)
    unlink(file)
    ChildRole.say("grown \(ChildRole.peakMemory - before)")

    let answer = try await session.upload(file: ChildRole.value("PATH_"), to: url + "/sink").validate().string
    #expect(answer.hasPrefix("\(Self.size) "))
    ChildRole.say("grown \(ChildRole.peakMemory - before)")

    // The file of a form is not read as a whole either, in a plain or nested form.
    let length = Int64(Self.size / 4)
    let part = MultipartFormData.Part.Content.file(path: ChildRole.value("PATH_"), length: length)
    let form = try await session.upload(to: url + "/sink") { form in
      var inner = MultipartFormData(kind: .mixed)
      inner.append(.init(name: nil, fileName: "a", disposition: .attachment, content: part))
      form.append(.init(name: "one", fileName: "b", content: part))
      form.append(inner, name: "two")
    }.validate().string
    let sent = form.split(separator: " ").first.flatMap { Int64($0) } ?? 0
    #expect(sent > 2 * length && sent < 2 * length + 2_000, "\(form)")
    ChildRole.say("grown \(ChildRole.peakMemory - before)")
  }
}
