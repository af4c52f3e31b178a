public import GarlandDiagnostics

/// A URL, absolute or relative, that may hold `${…}`.
///
/// Values are percent-encoded for their place: a path segment, or a component of the query or
/// fragment. A value at the beginning of the URL, in its authority, or with `| raw` at its end, is
/// used unchanged.
public struct URLTemplate: Sendable {
  /// The encoding of a value in the URL.
  public enum Encoding: Sendable, Hashable {
    /// The value is unchanged.
    case raw
    /// Everything but RFC 3986's unreserved characters as `%XX`, `/` too.
    case pathSegment
    /// Everything but RFC 3986's unreserved characters as `%XX`.
    case queryComponent
  }

  /// A part of a URL.
  public enum Piece: Sendable {
    /// Text as it is.
    case literal(String)
    /// An expression, rendered as text and encoded.
    case expression(Expression, Encoding)
  }

  /// The parts in order.
  public let pieces: [Piece]
  /// The text as written, expressions included: two URLs with the same text are the same template.
  public var source: String {
    written ?? SourceRange(range.file, range.offsets.lowerBound + inset..<range.offsets.upperBound - inset).text
  }
  /// Its place in the source.
  public let range: SourceRange
  /// The text, where it is not what the document has there.
  private let written: String?
  /// The number of quotes on each side of it.
  private let inset: Int

  init(pieces: [Piece], source: String, range: SourceRange) {
    self.pieces = pieces
    self.range = range
    written = source
    inset = 0
  }

  /// - Parameter text: the place of the text in the document, where it has no escapes.
  init(pieces: [Piece], text: Range<Int>, range: SourceRange) {
    self.pieces = pieces
    self.range = range
    written = nil
    inset = text.lowerBound - range.offsets.lowerBound
  }

  /// Whether there is an expression in it.
  var hasExpression: Bool {
    switch pieces.count {
    case 0: false
    case 1: if case .expression = pieces[0] { true } else { false }
    default: true
    }
  }

  /// The URL, if there is no expression in it.
  public var constant: String? {
    switch pieces.count {
    case 0: ""
    case 1: if case .literal(let text) = pieces[0] { text } else { nil }
    default: nil
    }
  }
}
