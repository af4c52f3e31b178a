extension YAMLTree {
  /// A node without its children, in 16 bytes.
  struct Record: Sendable {
    /// Where it begins in the source.
    var start: UInt32
    /// Where it ends in the source.
    var end: UInt32
    /// Of a collection, where its children begin in `links`; of a scalar, its place in `texts`, or how far its text is from both ends of its source, less than 0:
    /// see ``verbatim``.
    var first: Int32
    /// How many links it has, or ``many``.
    private let shortCount: UInt16
    private let shape: Shape
    private var details: Details

    /// The count stands before the first link.
    private static let many = UInt16.max

    /// What it is: a kind of collection or of scalar.
    private enum Shape: UInt8 { case sequence, mapping, null, yes, no, number, string }

    /// From the lowest bit: whether it is an alias, whether it has a name, three bits of style, three of the tag plus one.
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

    /// The text is the source as it is, or, if this plus one, the source without its quotes.
    static let verbatim: Int32 = -2

    /// A collection.
    init(_ place: Range<Int>, isMapping: Bool, first: Int32, count: Int, tag: YAMLTag?) {
      start = UInt32(clamping: place.lowerBound)
      end = UInt32(clamping: place.upperBound)
      self.first = first
      shortCount = Self.short(count) ?? Self.many
      shape = isMapping ? .mapping : .sequence
      details = Details(style: .plain, tag: tag)
    }

    /// A scalar.
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

    /// A number of links that has room in the record; nil if it must stand before the first of them.
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

    /// Of a scalar, what its value is; null for a collection.
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
    /// Whether it has a name: that of an anchor, or that of what the alias stands for.
    var hasName: Bool {
      get { details.bits & 2 != 0 }
      set { details.bits = details.bits & ~2 | (newValue ? 2 : 0) }
    }

    var offsets: Range<Int> { Int(start)..<Int(end) }

    /// The part of the source that is the text.
    var verbatimRange: Range<Int>? {
      guard first < 0 else { return nil }
      let quotes = Int(first - Self.verbatim)
      return Int(start) + quotes..<Int(end) - quotes
    }

    /// How many links it has.
    func linkCount(in links: [Int32]) -> Int { shortCount == Self.many ? Int(links[Int(first) - 1]) : Int(shortCount) }
  }
}
