/// A version of HTTP that a response was spoken in.
public enum HTTPVersion: String, Sendable, Hashable, Comparable, CustomStringConvertible {
  case http1_0 = "1.0"
  case http1_1 = "1.1"
  case http2 = "2"
  case http3 = "3"

  /// `HTTP/1.1`.
  public var description: String { "HTTP/\(rawValue)" }

  /// By number.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
