/// The positions of those members or elements of a value that were evaluated by a schema.
struct PositionSet {
  private var words: [UInt64] = []
  private(set) var isComplete = false

  func contains(_ position: Int) -> Bool {
    isComplete || (position >> 6 < words.count && words[position >> 6] & (1 << UInt64(position & 63)) != 0)
  }

  mutating func insert(_ position: Int) {
    while words.count <= position >> 6 { words.append(0) }
    words[position >> 6] |= 1 << UInt64(position & 63)
  }

  mutating func insertAll() {
    isComplete = true
  }

  mutating func formUnion(_ other: PositionSet) {
    isComplete = isComplete || other.isComplete
    for (index, word) in other.words.enumerated() {
      if index < words.count { words[index] |= word } else { words.append(word) }
    }
  }
}

/// The members or elements of an object or array that the applied schemas have evaluated. The keywords `unevaluatedProperties` and
/// `unevaluatedItems` apply to all other members and elements.
struct EvaluatedParts {
  var properties = PositionSet()
  var items = PositionSet()

  mutating func formUnion(_ other: EvaluatedParts) {
    properties.formUnion(other.properties)
    items.formUnion(other.items)
  }
}
