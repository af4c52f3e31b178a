/// The record of a request that a sandbox received, and of the response.
package struct SandboxRecord: Hashable, Sendable {
  /// The SHA-256 digest of an empty body, in lowercase hexadecimal.
  static let emptyDigest = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

  /// A header field as received: the case of the name is kept.
  package struct HeaderField: Hashable, Sendable {
    /// The name of the field, in its original case.
    package let name: String
    /// The value of the field, without white space at both ends.
    package let value: String

    /// Creates a header field with a name and a value.
    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The body of a request.
  package struct Body: Hashable, Sendable {
    /// The body's size in bytes, after chunked coding was decoded.
    package internal(set) var size = 0
    /// The SHA-256 digest of the whole body, in lowercase hexadecimal.
    package internal(set) var sha256 = SandboxRecord.emptyDigest
    /// The whole body if it is text and small (up to 16 KiB); otherwise nil.
    package internal(set) var text: String?
    /// The parts of a multipart/form-data body. Comparing the parts instead of the bodies ignores differences in the boundaries.
    package internal(set) var parts: [Part] = []
  }

  /// A part of a multipart/form-data body.
  package struct Part: Hashable, Sendable {
    /// The name of the form field, or nil if the part has none.
    package let name: String?
    /// The file name; nil if the part has no file name.
    package let filename: String?
    /// The media type of this part of a multipart body; nil if the part does not state one.
    package let type: String?
    /// The size in bytes of this part of a multipart body.
    package let size: Int
    /// The SHA-256 digest of the part's content, in lowercase hexadecimal.
    package let sha256: String
  }

  /// The way in which a response ended, or `pending` if it has not ended yet.
  package enum Outcome: String, Hashable, Sendable {
    /// The response has not ended yet.
    case pending
    /// The whole response was passed to the operating system.
    case completed
    /// The sandbox interrupted the exchange intentionally, as a fault for tests.
    case broken
    /// The client closed the connection before the end of the response.
    case disconnected
  }

  /// The number of the request, counted from 1 since the start of the sandbox, in the order of arrival.
  package let sequence: Int
  /// The number of the request's connection, from 1, in the order of acceptance.
  package let connection: Int
  /// The value of the field `X-Sandbox-Tenant`; nil if it was not sent.
  package let tenant: String?
  /// The method as received.
  package let method: String
  /// The request target as received, including the query.
  package let target: String
  /// The HTTP version as a number: `1.1` or `1.0`.
  package let version: String
  /// The header fields in the order in which they were received.
  package let headers: [HeaderField]
  /// The body; empty until it has arrived.
  package internal(set) var body = Body()
  /// The time when the header section had arrived, on the sandbox's monotonic clock.
  package let arrived: Duration
  /// The time, on the sandbox's monotonic clock, when the last byte of the response was passed to the operating system, or when the
  /// connection ended; nil before that time. Once a client has received the whole response, this property is always set.
  package internal(set) var finished: Duration?
  /// The status that was sent; nil before the response, and for faults that send no status line.
  package internal(set) var status: Int?
  /// The state of the response: not ended yet, sent completely, or ended early by the sandbox or the client.
  package internal(set) var outcome = Outcome.pending
}

/// The type of header fields of requests and responses.
typealias HeaderField = SandboxRecord.HeaderField
