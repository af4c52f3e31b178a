public import GarlandDiagnostics

/// A URL, absolute or relative, that may contain `${…}`.
///
/// The value of an expression is percent-encoded as its position requires: as a path segment, or as a component of the query or fragment. A
/// value is used unchanged if it is at the beginning of the URL or in its authority, or if its expression ends with `| raw`.
public struct URLTemplate: Sendable {
  /// The encoding of an expression's value in the URL.
  public enum Encoding: Sendable, Hashable {
    /// The value is used unchanged, without encoding.
    case raw
    /// Percent-encoding for a path segment: every character except RFC 3986's unreserved characters is encoded, including `/`.
    case pathSegment
    /// Percent-encoding for a component of the query: every character except RFC 3986's unreserved characters is encoded.
    case queryComponent
  }

  /// A part of a URL template: literal text or an expression.
  public enum Piece: Sendable {
    /// Literal text.
    case literal(String)
    /// An expression. Its value is converted to text and encoded.
    case expression(Expression, Encoding)
  }

  /// The parts of the URL, in order.
  public let pieces: [Piece]
  /// The text of the URL as written, including its expressions. Two URL templates with the same text are equal.
  public var source: String {
    written ?? SourceRange(range.file, range.offsets.lowerBound + inset..<range.offsets.upperBound - inset).text
  }
  /// The source range of the URL.
  public let range: SourceRange
  /// The text of the URL. Nil if the document contains exactly this text, without escapes. The property ``source`` then reads the text from
  /// the document, so that no copy is stored.
  private let written: String?
  /// The number of bytes at each end of ``range`` that are not a part of the URL's text: 1 if the URL is in quotes, otherwise 0.
  private let inset: Int

  init(pieces: [Piece], source: String, range: SourceRange) {
    self.pieces = pieces
    self.range = range
    written = source
    inset = 0
  }

  /// Creates a URL whose text in the document contains no YAML escape sequences.
  ///
  /// - Parameter text: the range of the URL's text in the document, without quotes.
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

  /// The text of a URL without expressions; nil if the URL contains an expression.
  public var constant: String? {
    switch pieces.count {
    case 0: ""
    case 1: if case .literal(let text) = pieces[0] { text } else { nil }
    default: nil
    }
  }
}
