/// The version of HTTP that a response was spoken in, or what it was instead.
public enum HTTPVersion: String, Sendable, Hashable, Comparable, CustomStringConvertible {
  /// HTTP/1.0.
  case http1_0 = "1.0"
  /// HTTP/1.1.
  case http1_1 = "1.1"
  /// HTTP/2.
  case http2 = "2"
  /// HTTP/3.
  case http3 = "3"
  /// A download by FTP: the status is made up.
  case ftp = "FTP"
  /// A `file:` URL: the status is made up.
  case file
  /// A `data:` URL: the status is made up.
  case data

  /// `HTTP/1.1`, `FTP`, `file` or `data`.
  public var description: String {
    switch self {
    case .http1_0, .http1_1, .http2, .http3: "HTTP/\(rawValue)"
    case .ftp, .file, .data: rawValue
    }
  }

  /// By number, and HTTP before all else.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
