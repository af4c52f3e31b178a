public import GarlandDiagnostics

/// A URL, absolute or relative, that may contain `${…}`.
///
/// Values are percent-encoded for their place: a path segment, or a component of the query or fragment. A value at the beginning of the
/// URL, in its authority, or of an expression that ends with `| raw`, is used unchanged.
public struct URLTemplate: Sendable {
  /// The encoding of a value in the URL.
  public enum Encoding: Sendable, Hashable {
    /// No encoding: the value is used unchanged.
    case raw
    /// All characters are written as `%XX`, including `/`, except RFC 3986's unreserved characters.
    case pathSegment
    /// All characters are written as `%XX`, except RFC 3986's unreserved characters.
    case queryComponent
  }

  /// A part of a URL.
  public enum Piece: Sendable {
    /// Literal text.
    case literal(String)
    /// An expression, rendered as text and encoded.
    case expression(Expression, Encoding)
  }

  /// The parts in order.
  public let pieces: [Piece]
  /// The text as written, including expressions. Two URLs with the same text are the same template.
  public var source: String {
    written ?? SourceRange(range.file, range.offsets.lowerBound + inset..<range.offsets.upperBound - inset).text
  }
  /// The URL's place in the source.
  public let range: SourceRange
  /// The text, if it differs from the text in the document; otherwise nil.
  private let written: String?
  /// The number of quote characters before the text and after it in the document.
  private let inset: Int

  init(pieces: [Piece], source: String, range: SourceRange) {
    self.pieces = pieces
    self.range = range
    written = source
    inset = 0
  }

  /// Creates a URL whose text is written in the document without escapes.
  ///
  /// - Parameter text: the place of the text in the document.
  init(pieces: [Piece], text: Range<Int>, range: SourceRange) {
    self.pieces = pieces
    self.range = range
    written = nil
    inset = text.lowerBound - range.offsets.lowerBound
  }

  /// Whether the URL contains an expression.
  var hasExpression: Bool {
    switch pieces.count {
    case 0: false
    case 1: if case .expression = pieces[0] { true } else { false }
    default: true
    }
  }

  /// The URL's text, if it contains no expression.
  public var constant: String? {
    switch pieces.count {
    case 0: ""
    case 1: if case .literal(let text) = pieces[0] { text } else { nil }
    default: nil
    }
  }
}
