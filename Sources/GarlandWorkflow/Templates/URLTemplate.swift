public import GarlandDiagnostics

/// A URL, absolute or relative, that may hold `${…}`.
///
/// Values are percent-encoded for the place where they stand: a path segment, or a component of the query or fragment. A value that the
/// URL begins with, that stands in the authority, or that ends in `| raw`, is taken as it is.
public struct URLTemplate: Sendable {
  /// How a value goes into the URL.
  public enum Encoding: Sendable, Hashable {
    /// As it is.
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
  /// Where it stands.
  public let range: SourceRange
  /// The text, where it is not what the document has there.
  private let written: String?
  /// How many quotes are before and behind it.
  private let inset: Int

  init(pieces: [Piece], source: String, range: SourceRange) {
    self.pieces = pieces
    self.range = range
    written = source
    inset = 0
  }

  /// - Parameter text: where the text stands in the document, just as it is.
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
