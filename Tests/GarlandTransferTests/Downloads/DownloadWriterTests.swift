import Glibc
import TestSupport
import Testing

@testable import GarlandTransfer

/// A file appears complete or not at all.
@Suite("Files of downloads")
struct DownloadWriterTests {
  private static func write(_ text: String, to writer: DownloadWriter) throws {
    var text = text
    try text.withUTF8 { try writer.write(UnsafeRawBufferPointer($0)) }
  }

  @Test func `a download has its final file name only after it is complete`() throws {
    let folder = try TemporaryFolder()
    let writer = try DownloadWriter(DownloadTarget(path: folder.path + "/a.txt", computesDigest: true), suggestion: "")
    try Self.write("hello ", to: writer)
    try Self.write("world", to: writer)
    #expect(folder.names.count == 1 && folder.names[0].hasSuffix(".part"))
    let file = try writer.finish()
    #expect(file.size == 11)
    #expect(file.digest?.hex == "b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9")
    #expect(!folder.names.contains("a.txt"))
    #expect(try file.commit() == folder.path + "/a.txt")
    #expect(folder.names == ["a.txt"])
    #expect(try folder.read("a.txt") == Array("hello world".utf8))
    file.discard()
    #expect(folder.names == ["a.txt"])
  }

  @Test func `if a download is not moved to its target path, its temporary file is deleted`() throws {
    let folder = try TemporaryFolder()
    do {
      let writer = try DownloadWriter(DownloadTarget(path: folder.path + "/a.txt"), suggestion: "")
      try Self.write("half", to: writer)
      writer.abandon()
    }
    do {
      let writer = try DownloadWriter(DownloadTarget(path: folder.path + "/a.txt"), suggestion: "")
      try Self.write("half", to: writer)
    }
    do {
      let writer = try DownloadWriter(DownloadTarget(path: folder.path + "/a.txt"), suggestion: "")
      _ = try writer.finish()
    }
    #expect(folder.names.isEmpty)
  }

  @Test func `a download replaces an existing file only if the caller allows it`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("a.txt", "old")
    #expect(throws: NetworkingError.self) { try DownloadWriter(DownloadTarget(path: path), suggestion: "") }
    // Another program has created the file in the meantime.
    try folder.write("b.txt", "")
    unlink(folder.path + "/b.txt")
    let late = try DownloadWriter(DownloadTarget(path: folder.path + "/b.txt"), suggestion: "").finish()
    try folder.write("b.txt", "theirs")
    #expect(throws: NetworkingError.self) { try late.commit() }
    late.discard()
    #expect(try folder.read("b.txt") == Array("theirs".utf8))
    let writer = try DownloadWriter(DownloadTarget(path: path, replacesExisting: true), suggestion: "")
    try Self.write("new", to: writer)
    #expect(try folder.read("a.txt") == Array("old".utf8))
    try writer.finish().commit()
    #expect(try folder.read("a.txt") == Array("new".utf8))
    #expect(folder.names == ["a.txt", "b.txt"])
  }

  @Test func `a pipe or a device is not replaced by a downloaded file`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/pipe"
    #expect(mkfifo(path, 0o600) == 0)
    #expect(throws: NetworkingError.self) { try DownloadWriter(DownloadTarget(path: path, replacesExisting: true), suggestion: "") }
    var facts = stat()
    #expect(stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFIFO && folder.names == ["pipe"])
  }

  @Test func `a download creates missing folders only if the caller allows it`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/x/y/a.txt"
    #expect(throws: NetworkingError.self) { try DownloadWriter(DownloadTarget(path: path), suggestion: "") }
    try DownloadWriter(DownloadTarget(path: path, createsDirectories: true), suggestion: "").finish().commit()
    #expect(access(path, F_OK) == 0)
    let suggested = DownloadTarget(path: folder.path + "/x", name: .suggested)
    #expect(try DownloadWriter(suggested, suggestion: "b.txt").finish().commit() == folder.path + "/x/b.txt")
  }

  @Test func `a file name that is longer than the file system allows gives an error`() throws {
    let folder = try TemporaryFolder()
    let target = DownloadTarget(path: folder.path + "/" + String(repeating: "n", count: 300))
    #expect(throws: NetworkingError.self) { try DownloadWriter(target, suggestion: "").finish().commit() }
    #expect(folder.names.isEmpty)
  }

  @Test func `a download path that contains a file instead of a folder is refused before the request is sent`() throws {
    let folder = try TemporaryFolder()
    try folder.write("plain", "text")
    #expect(throws: FileFailure.self) { try Directories.check(folder.path + "/plain") }
    #expect(throws: FileFailure.self) { try Directories.check(folder.path + "/plain/below") }
    #expect(throws: Never.self) { try Directories.check(folder.path + "/missing/below") }
  }
}
