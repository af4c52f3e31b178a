import GarlandText

/// Names and values in order, from a query or from a body of the type application/x-www-form-urlencoded.
struct FormPairs: Sendable {
  let pairs: [(name: String, value: String)]

  /// Parses the syntax of the URL standard's urlencoded parser: `&` is the separator, `+` is a space, and a name without `=` has an empty
  /// value.
  init(_ text: some StringProtocol) {
    pairs = text.split(separator: "&").map { pair in
      guard let equals = pair.firstIndex(of: "=") else { return (PercentEncoding.text(decoding: pair, plusIsSpace: true), "") }
      return (
        PercentEncoding.text(decoding: pair[..<equals], plusIsSpace: true),
        PercentEncoding.text(decoding: pair[pair.index(after: equals)...], plusIsSpace: true)
      )
    }
  }

  /// The first value with a name; nil if there is none.
  subscript(name: String) -> String? { pairs.first { $0.name == name }?.value }

  /// Returns all values with a name, in order.
  func all(_ name: String) -> [String] { pairs.lazy.filter { $0.name == name }.map(\.value) }
}
