import GarlandJSON

/// A request that was received at the URL of a listening step.
package struct IncomingRequest: Sendable, Equatable {
  /// A header field as it came.
  package struct Field: Sendable, Equatable {
    package var name: String
    package var value: String
  }

  /// The method, as it was written.
  package var method: String
  /// The request target: the path, with `?` and the query if there is one.
  package var target: String
  /// `1.1` or `1.0`.
  package var version: String
  /// The fields, in order.
  package var fields: [Field] = []
  /// The body, without the chunks it may have come in.
  package var body: [UInt8] = []

  /// The part before the `?`.
  package var path: Substring { target.prefix { $0 != "?" } }

  /// The parameters of the query, in order, decoded as those of a form are.
  package var query: [(name: String, value: String)] {
    let bytes = target.utf8
    guard let mark = bytes.firstIndex(of: UInt8(ascii: "?")) else { return [] }
    return bytes[bytes.index(after: mark)...].split(separator: UInt8(ascii: "&")).map { pair in
      let name = pair.prefix { $0 != UInt8(ascii: "=") }
      return (Self.text(name), Self.text(pair.dropFirst(name.count + 1)))
    }
  }

  private static func text(_ part: some Sequence<UInt8>) -> String {
    String(decoding: PercentText.decode(part.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }), as: UTF8.self)
  }

  /// The values of a field, in order; names are compared without case.
  package func values(of name: String) -> [String] {
    let name = name.lowercased()
    return fields.filter { $0.name.lowercased() == name }.map(\.value)
  }
}
