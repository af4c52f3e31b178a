extension YAMLTree {
  /// The data of a single node, in 16 bytes. Each of its children has another record.
  struct Record: Sendable {
    /// The offset in bytes of the node's first character in the source.
    var start: UInt32
    /// The offset in bytes of the position directly after the node's last character in the source.
    var end: UInt32
    /// For a collection, the index of its first child in `links`. For a scalar, the index of its text in `texts`. A negative value means
    /// that the text of the scalar equals its source; see ``verbatim``.
    var first: Int32
    /// The number of child nodes; ``many`` if the number does not fit into this property.
    private let shortCount: UInt16
    private let shape: Shape
    private var details: Details

    /// The value of `shortCount` for a node with at least 65,535 child nodes. Such a node stores its number of child nodes before the first
    /// child.
    private static let many = UInt16.max

    /// The kind of the node: a collection, or the type of a scalar. `yes` and `no` are the Booleans.
    private enum Shape: UInt8 { case sequence, mapping, null, yes, no, number, string }

    /// The details of a node, packed into the bits of a number. From the lowest bit, these are: whether the node is an alias (one bit);
    /// whether the node has a name (one bit); the style (three bits); the tag (three bits). The value of the tag's bits is the position of
    /// the tag in ``tags``, counted from 1, or 0 for a node without a tag.
    private struct Details {
      static let tags = Array(YAMLTag.allCases)
      var bits: UInt8

      init(style: YAMLScalar.Style, tag: YAMLTag?) {
        let number = tag.flatMap { Self.tags.firstIndex(of: $0) }.map { UInt8($0 + 1) } ?? 0
        bits = style.rawValue << 2 | number << 5
      }

      var style: YAMLScalar.Style { YAMLScalar.Style(rawValue: bits >> 2 & 7) ?? .plain }
      var tag: YAMLTag? { bits >> 5 == 0 ? nil : Self.tags[Int(bits >> 5) - 1] }
    }

    /// The value of ``first`` for a scalar without quotes whose text equals its source. The next value, -1, means that the text of a scalar
    /// in quotes equals the source between the quotes.
    static let verbatim: Int32 = -2

    /// Creates the record of a collection.
    init(_ place: Range<Int>, isMapping: Bool, first: Int32, count: Int, tag: YAMLTag?) {
      start = UInt32(clamping: place.lowerBound)
      end = UInt32(clamping: place.upperBound)
      self.first = first
      shortCount = Self.short(count) ?? Self.many
      shape = isMapping ? .mapping : .sequence
      details = Details(style: .plain, tag: tag)
    }

    /// Creates the record of a scalar.
    init(_ place: Range<Int>, _ kind: YAMLScalar.Kind, style: YAMLScalar.Style, first: Int32, tag: YAMLTag?) {
      start = UInt32(clamping: place.lowerBound)
      end = UInt32(clamping: place.upperBound)
      self.first = first
      shortCount = 0
      shape =
        switch kind {
        case .null: .null
        case .yes: .yes
        case .no: .no
        case .number: .number
        case .string: .string
        }
      details = Details(style: style, tag: tag)
    }

    /// Returns a number of child nodes as a value for ``shortCount``. Returns nil if the number is too large; the builder must then store
    /// the number before the first child.
    static func short(_ count: Int) -> UInt16? {
      let short = UInt16(clamping: count)
      return short == many ? nil : short
    }

    var kind: Kind {
      switch shape {
      case .sequence: .sequence
      case .mapping: .mapping
      default: .scalar
      }
    }

    /// The kind of a scalar; the case `null` for a collection.
    var scalar: YAMLScalar.Kind {
      switch shape {
      case .yes: .yes
      case .no: .no
      case .number: .number
      case .string: .string
      case .sequence, .mapping, .null: .null
      }
    }

    var style: YAMLScalar.Style { details.style }
    var tag: YAMLTag? { details.tag }
    var isAlias: Bool {
      get { details.bits & 1 != 0 }
      set { details.bits = details.bits & ~1 | (newValue ? 1 : 0) }
    }
    /// Whether the node has an anchor, or is an alias.
    var hasName: Bool {
      get { details.bits & 2 != 0 }
      set { details.bits = details.bits & ~2 | (newValue ? 2 : 0) }
    }

    var offsets: Range<Int> { Int(start)..<Int(end) }

    /// The source range of a scalar's text, without quotes; nil if the source does not contain the text unchanged, for example because of
    /// an escape.
    var verbatimRange: Range<Int>? {
      guard first < 0 else { return nil }
      let quotes = Int(first - Self.verbatim)
      return Int(start) + quotes..<Int(end) - quotes
    }

    /// Returns the number of child nodes. In a mapping, each key and each value is a child node.
    func linkCount(in links: [Int32]) -> Int { shortCount == Self.many ? Int(links[Int(first) - 1]) : Int(shortCount) }
  }
}
