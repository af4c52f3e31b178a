/// The protocol version of a response.
public enum HTTPVersion: String, Sendable, Hashable, Comparable, CustomStringConvertible {
  /// HTTP/1.0.
  case http1_0 = "1.0"
  /// HTTP/1.1.
  case http1_1 = "1.1"
  /// HTTP/2.
  case http2 = "2"
  /// HTTP/3.
  case http3 = "3"
  /// A download over FTP. This library sets the status, since FTP has no HTTP status.
  case ftp = "FTP"
  /// The response comes from a local file (a `file:` URL). This library sets the status.
  case file
  /// The response comes from a `data:` URL. This library sets the status code of the response, since there is no server.
  case data

  /// The name of the protocol, such as `FTP`, `file` or `data`. For HTTP, the name includes the version: `HTTP/1.1`.
  public var description: String {
    switch self {
    case .http1_0, .http1_1, .http2, .http3: "HTTP/\(rawValue)"
    case .ftp, .file, .data: rawValue
    }
  }

  /// Orders HTTP versions by number. Other protocols come after all HTTP versions.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
