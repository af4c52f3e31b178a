import Foundation

/// A folder that is there as long as the value is referenced.
public final class TemporaryFolder: Sendable {
  /// The folder, with links resolved.
  public let path: String

  /// Makes an empty folder below the system's folder for temporary files.
  public init() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "garland-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.resolvingSymlinksInPath().path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes a file below the folder, and the folders on the way; returns its path.
  @discardableResult
  public func write(_ name: String, _ text: String) throws -> String { try write(name, Array(text.utf8)) }

  /// Writes a file below the folder, and the folders on the way; returns its path.
  @discardableResult
  public func write(_ name: String, _ bytes: [UInt8]) throws -> String {
    let url = URL(filePath: path).appending(path: name)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    // `Data.write` would also wait until the disk has each file, by `fsync`.
    let file = open(url.path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard file >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    defer { close(file) }
    try FileHandle(fileDescriptor: file).write(contentsOf: bytes)
    return url.path
  }

  /// The bytes of a file below the folder.
  public func read(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: path).appending(path: name)))
  }

  /// The names in the folder, sorted.
  public var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }
}
