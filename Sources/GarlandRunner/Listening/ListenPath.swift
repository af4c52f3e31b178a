import GarlandJSON

/// Which requests are meant for a step: those to its path, or, in a loop, to the path with the index of an item behind it.
struct ListenPath: Sendable, Equatable {
  /// As the step says it, evaluated and encoded.
  let text: String
  /// How many items its loop has; nil without one.
  let itemCount: Int?

  /// The path for an item.
  func path(of item: Int) -> String {
    guard itemCount != nil else { return text }
    return text.hasSuffix("/") ? "\(text)\(item)" : "\(text)/\(item)"
  }

  /// The item that a request is meant for, 0 without a loop; nil if it is meant for none.
  func item(for path: Substring) -> Int? {
    let wanted = PercentText.decode(text)
    let found = PercentText.decode(path)
    guard let itemCount else { return found == wanted ? 0 : nil }
    guard found.starts(with: wanted) else { return nil }
    var rest = found[wanted.count...]
    if wanted.last != UInt8(ascii: "/") {
      guard rest.first == UInt8(ascii: "/") else { return nil }
      rest = rest.dropFirst()
    }
    // One way to write each.
    guard let item = HTTPSyntax.number(rest), item < itemCount, rest.count == String(item).utf8.count else { return nil }
    return item
  }
}
