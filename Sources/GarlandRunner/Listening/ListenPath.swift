import GarlandText

/// The path of a listening step's URL, by which the server recognises the requests for the step. In a loop, the index of the item is
/// appended to the path.
struct ListenPath: Sendable, Equatable {
  /// The path at which the step listens, evaluated and encoded, without the index of a loop item.
  let text: String
  /// The number of items in the step's loop; nil for a step without a loop.
  let itemCount: Int?

  /// Returns the path for requests to an item of the step's loop.
  func path(of item: Int) -> String {
    guard itemCount != nil else { return text }
    return text.hasSuffix("/") ? "\(text)\(item)" : "\(text)/\(item)"
  }

  /// Returns the index of the loop item to which a request with the given path belongs; 0 for a step without a loop. Returns nil if the
  /// request belongs to no item of this step.
  func item(for path: Substring) -> Int? {
    let wanted = PercentEncoding.decode(text)
    let found = PercentEncoding.decode(path)
    guard let itemCount else { return found == wanted ? 0 : nil }
    guard found.starts(with: wanted) else { return nil }
    var rest = found[wanted.count...]
    if wanted.last != UInt8(ascii: "/") {
      guard rest.first == UInt8(ascii: "/") else { return nil }
      rest = rest.dropFirst()
    }
    // The number of an item must be written in exactly one way, without leading zeros.
    guard let item = HTTPSyntax.number(rest), item < itemCount, rest.count == String(item).utf8.count else { return nil }
    return item
  }
}
