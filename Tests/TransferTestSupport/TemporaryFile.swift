import Glibc

/// Files of tests that are not below a test's own folder.
package enum TemporaryFile {
  package struct Failure: Error {}

  package static func write(_ bytes: [UInt8], to path: String) throws {
    unlink(path)
    guard let file = fopen(path, "w") else { throw Failure() }
    defer { fclose(file) }
    guard fwrite(bytes, 1, bytes.count, file) == bytes.count else { throw Failure() }
  }
}
