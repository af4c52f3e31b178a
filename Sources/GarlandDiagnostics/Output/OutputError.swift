import Glibc

/// The error of a failed write.
public enum OutputError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The reader of a pipe or socket has closed it (`EPIPE`), so no reader is left.
  case closed
  /// The system's error number.
  case failed(errno: Int32)

  /// The error in a user's words.
  public var description: String {
    switch self {
    case .closed: "the reader of the output has gone"
    case .failed(let number): "the output could not be written: \(Self.text(of: number))"
    }
  }

  private static func text(of number: Int32) -> String {
    // strerror is thread-safe since glibc 2.32.
    strerror(number).map { String(cString: $0) } ?? "error \(number)"
  }
}
