import HTTPTypes

/// A part of a multipart response; see ``PartStream``.
public struct ResponsePart: Sendable, Hashable {
  /// The header of a part, which is available before the body of the part has arrived.
  public struct Head: Sendable, Hashable {
    /// The number of the part in the response, from 0.
    public let index: Int
    /// The header fields of the part.
    public let headerFields: HTTPFields
  }

  /// The body of a part, in memory or in a file.
  public enum Body: Sendable, Hashable {
    /// The bytes, in memory.
    case bytes([UInt8])
    /// The body is in a file, which is complete. The associated value is the path of the file.
    case file(String)
  }

  /// The header of the part.
  public let head: Head
  /// The content of the part: its bytes or a file.
  public let body: Body

  /// The number of the part in the response, from 0.
  public var index: Int { head.index }
  /// The header fields of the part.
  public var headerFields: HTTPFields { head.headerFields }
  /// The bytes of the body; nil if the part became a file.
  public var bytes: [UInt8]? { if case .bytes(let bytes) = body { bytes } else { nil } }
  /// The path of the file that contains the body of the part; nil if the body is in memory.
  public var file: String? { if case .file(let path) = body { path } else { nil } }
}
