/// Names and values in order: a query, or a body of type application/x-www-form-urlencoded.
struct FormPairs: Sendable {
  let pairs: [(name: String, value: String)]

  /// Reads the syntax of the URL standard's urlencoded parser: `&` separates, `+` is a space, a name alone has an empty value.
  init(_ text: some StringProtocol) {
    pairs = text.split(separator: "&").map { pair in
      guard let equals = pair.firstIndex(of: "=") else { return (PercentCoding.decode(pair, plusIsSpace: true), "") }
      return (
        PercentCoding.decode(pair[..<equals], plusIsSpace: true),
        PercentCoding.decode(pair[pair.index(after: equals)...], plusIsSpace: true)
      )
    }
  }

  /// The first value of that name.
  subscript(name: String) -> String? { pairs.first { $0.name == name }?.value }

  /// All values of that name, in order.
  func all(_ name: String) -> [String] { pairs.lazy.filter { $0.name == name }.map(\.value) }
}
