import Glibc
import TestSupport
import Testing

@testable import GarlandDiagnostics

/// Tests that files appear complete or not at all.
@Suite struct WholeFileTests {
  private func mode(_ path: String) -> mode_t {
    var facts = stat()
    return stat(path, &facts) == 0 ? facts.st_mode & 0o777 : 0
  }

  @Test func `a file that WholeFile writes replaces an existing file of the same name`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("a.txt", "before")
    try WholeFile.write(Array("after".utf8), to: path)
    #expect(try folder.read("a.txt") == Array("after".utf8))
    try WholeFile.write([], to: path, .owner)
    #expect(try folder.read("a.txt").isEmpty && mode(path) == 0o600)
    #expect(folder.names == ["a.txt"])
  }

  @Test func `if the caller forbids replacing, saving a file under the path of an existing file fails and keeps that file`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("a.txt", "before")
    #expect(throws: WholeFile.Failure.exists) { try WholeFile.write(Array("after".utf8), to: path, replacing: false) }
    #expect(try folder.read("a.txt") == Array("before".utf8))
    try WholeFile.write(Array("new".utf8), to: folder.path + "/b.txt", replacing: false)
    #expect(try folder.read("b.txt") == Array("new".utf8))
    #expect(folder.names == ["a.txt", "b.txt"])
  }

  @Test func `if the target of a write is a device, such as the null device, the device is not replaced by a file`() throws {
    let folder = try TemporaryFolder()
    symlink("/dev/full", folder.path + "/full")
    #expect(throws: WholeFile.Failure.system(ENOSPC)) { try WholeFile.write(Array("x".utf8), to: folder.path + "/full") }
    symlink("/dev/null", folder.path + "/null")
    try WholeFile.write(Array("x".utf8), to: folder.path + "/null", .owner)
    var facts = stat()
    for path in ["/dev/null", "/dev/full"] { #expect(stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFCHR) }
    #expect(folder.names == ["full", "null"])
  }

  @Test func `writing to a symbolic link replaces the file that it points to and keeps the link`() throws {
    let folder = try TemporaryFolder()
    try folder.write("real/a.txt", "before")
    symlink("real/a.txt", folder.path + "/link")
    try WholeFile.write(Array("after".utf8), to: folder.path + "/link")
    #expect(try folder.read("real/a.txt") == Array("after".utf8))
    var facts = stat()
    #expect(lstat(folder.path + "/link", &facts) == 0 && facts.st_mode & S_IFMT == S_IFLNK)
  }

  @Test func `saving a file creates its missing parent folders only if the caller asks for this`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/x/y/a.txt"
    #expect(throws: WholeFile.Failure.system(ENOENT)) { try WholeFile.write([1], to: path) }
    try WholeFile.write([1], to: path, makingFolders: true)
    #expect(try folder.read("x/y/a.txt") == [1])
    try folder.write("file", "")
    #expect(throws: WholeFile.Failure.system(ENOTDIR)) { try WholeFile.write([1], to: folder.path + "/file/a.txt", makingFolders: true) }
  }

  @Test func `if WholeFile cannot write a file, no temporary file remains in the folder`() throws {
    let folder = try TemporaryFolder()
    try folder.write("taken/inside", "")
    #expect(throws: WholeFile.Failure.self) { try WholeFile.write([1], to: folder.path + "/taken") }
    #expect(folder.names == ["taken"])
    #expect(WholeFile.Failure.exists.description == "the file exists already")
  }
}
