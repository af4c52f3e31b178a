/// A request as a sandbox received it, and the outcome of its answer.
public struct SandboxRecord: Hashable, Sendable {
  /// The SHA-256 of no bytes, in lowercase hexadecimal.
  static let emptyDigest = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

  /// A header field as received: the case of the name is kept.
  public struct HeaderField: Hashable, Sendable {
    /// The name as it was written.
    public let name: String
    /// The value without the white space around it.
    public let value: String

    /// A field.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The body of a request.
  public struct Body: Hashable, Sendable {
    /// Its size in bytes after chunked coding is undone.
    public internal(set) var size = 0
    /// The SHA-256 of all of it, in lowercase hexadecimal.
    public internal(set) var sha256 = SandboxRecord.emptyDigest
    /// The whole body when it is small (up to 16 KiB) and text.
    public internal(set) var text: String?
    /// The parts of a multipart/form-data body, which make bodies comparable whose boundaries differ.
    public internal(set) var parts: [Part] = []
  }

  /// A part of a multipart/form-data body.
  public struct Part: Hashable, Sendable {
    /// The name of the form field, or nil if the part has none.
    public let name: String?
    /// The file name, if it has one.
    public let filename: String?
    /// Its media type, if stated.
    public let type: String?
    /// Its size in bytes.
    public let size: Int
    /// The SHA-256 of its content, in lowercase hexadecimal.
    public let sha256: String
  }

  /// The outcome of an answer.
  public enum Outcome: String, Hashable, Sendable {
    /// The answer has not ended yet.
    case pending
    /// The whole answer was handed to the system.
    case completed
    /// The sandbox broke the exchange off on purpose: a fault on the wire.
    case broken
    /// The client went away before that.
    case disconnected
  }

  /// 1 for the first request after the start, and so on in the order of arrival.
  public let sequence: Int
  /// The connection it came on, numbered from 1 in the order of acceptance.
  public let connection: Int
  /// The value of `X-Sandbox-Tenant`, if it was sent.
  public let tenant: String?
  /// The method as received.
  public let method: String
  /// The request target as received, query included.
  public let target: String
  /// The version without its name: `1.1` or `1.0`.
  public let version: String
  /// The header fields in the order in which they were received.
  public let headers: [HeaderField]
  /// The body; empty until it has arrived.
  public internal(set) var body = Body()
  /// The time when the header section had arrived, on the sandbox's monotonic clock.
  public let arrived: Duration
  /// The time when the last byte of the answer was passed to the system or the connection ended;
  /// nil until then. A client that has the whole answer finds it set.
  public internal(set) var finished: Duration?
  /// The status that was sent; nil while there is none and for faults that send no status line.
  public internal(set) var status: Int?
  /// The outcome of the answer.
  public internal(set) var outcome = Outcome.pending

  /// The values of the fields of that name, in order; the case of `name` does not matter.
  public func values(of name: String) -> [String] {
    headers.lazy.filter { $0.name.equalsIgnoringCase(name) }.map(\.value)
  }
}

/// The type of header fields of requests and responses.
typealias HeaderField = SandboxRecord.HeaderField
