import GarlandText

/// A request that was received at the URL of a listening step.
package struct IncomingRequest: Sendable, Equatable {
  /// A header field as it was received.
  package struct Field: Sendable, Equatable {
    package var name: String
    package var value: String
  }

  /// The method, as received.
  package var method: String
  /// The request target: the path, and `?` with the query if the request has a query.
  package var target: String
  /// The HTTP version, `1.1` or `1.0`.
  package var version: String
  /// The header fields in the order in which they were received.
  package var fields: [Field] = []
  /// The body of the request. A body that was sent in chunks is decoded.
  package var body: [UInt8] = []

  /// The path: the part of the request target before the `?`.
  package var path: Substring { target.prefix { $0 != "?" } }

  /// The parameters of the query in order, decoded like the fields of a form.
  package var query: [(name: String, value: String)] {
    let bytes = target.utf8
    guard let mark = bytes.firstIndex(of: UInt8(ascii: "?")) else { return [] }
    return bytes[bytes.index(after: mark)...].split(separator: UInt8(ascii: "&")).map { pair in
      let name = pair.prefix { $0 != UInt8(ascii: "=") }
      return (Self.text(name), Self.text(pair.dropFirst(name.count + 1)))
    }
  }

  private static func text(_ part: some Sequence<UInt8>) -> String {
    String(decoding: PercentEncoding.decode(Array(part), plusIsSpace: true), as: UTF8.self)
  }

  /// Returns the values of a header field, in order. Names are compared case-insensitively.
  package func values(of name: String) -> [String] {
    let name = name.lowercased()
    return fields.filter { $0.name.lowercased() == name }.map(\.value)
  }
}
