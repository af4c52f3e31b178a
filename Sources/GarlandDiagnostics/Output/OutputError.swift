import Glibc

/// The error of a failed write.
public enum OutputError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The reading end of the pipe or socket was closed (`EPIPE`).
  case closed
  /// The write failed with this error number of the system.
  case failed(errno: Int32)

  /// The error message.
  public var description: String {
    switch self {
    case .closed: "the program that reads the output has ended"
    case .failed(let number): "the output could not be written: \(Self.text(of: number))"
    }
  }

  private static func text(of number: Int32) -> String {
    // strerror is thread-safe since glibc 2.32.
    strerror(number).map { String(cString: $0) } ?? "error \(number)"
  }
}
