/// Undoes one content coding (RFC 9110, section 8.4), piece by piece.
///
/// libcurl does this too, but takes a body that is cut off for a whole one.
protocol ContentDecoder: AnyObject {
  /// Decodes a piece, and hands on what comes out, in pieces as well.
  func decode(
    _ piece: UnsafeRawBufferPointer, _ take: (UnsafeRawBufferPointer) throws(ContentCodingError) -> Void
  ) throws(ContentCodingError)

  /// Whether what came so far is whole.
  var isComplete: Bool { get }
}

/// Why a body can't be decoded, or that nobody wants more of it.
enum ContentCodingError: Error {
  /// What is wrong with it.
  case invalid(String)
  /// Whoever takes the decoded bytes has had enough, for a reason of its own.
  case refused
}

/// Several codings, undone from the last that was applied to the first.
struct ContentDecoding {
  /// What is offered in `Accept-Encoding`, in curl's order.
  static let offer = "deflate, gzip, br, zstd"
  /// More than anybody applies; each costs memory.
  private static let limit = 5

  private let decoders: [any ContentDecoder]

  /// The decoders for the value of a `Content-Encoding` field. Nil when there is nothing to undo.
  ///
  /// - Throws: for a coding that was not offered.
  init?(_ field: String) throws(ContentCodingError) {
    var decoders: [any ContentDecoder] = []
    for part in field.split(separator: ",") {
      let name = part.lowercased().filter { $0 != " " && $0 != "\t" }
      switch name {
      case "", "identity": continue
      case "gzip", "x-gzip": decoders.append(try InflateDecoder(.gzip))
      case "deflate": decoders.append(try InflateDecoder(.zlib))
      case "br": decoders.append(try BrotliDecoder())
      case "zstd": decoders.append(try ZstdDecoder())
      default: throw .invalid("the coding `\(name.prefix(40))` is not known")
      }
      if decoders.count > Self.limit { throw .invalid("more than \(Self.limit) codings") }
    }
    if decoders.isEmpty { return nil }
    self.decoders = decoders.reversed()
  }

  func decode(
    _ piece: UnsafeRawBufferPointer, _ take: (UnsafeRawBufferPointer) throws(ContentCodingError) -> Void
  ) throws(ContentCodingError) {
    try decode(piece, from: 0, take)
  }

  private func decode(
    _ piece: UnsafeRawBufferPointer, from index: Int, _ take: (UnsafeRawBufferPointer) throws(ContentCodingError) -> Void
  ) throws(ContentCodingError) {
    guard index < decoders.count else { return try take(piece) }
    try decoders[index].decode(piece) { (part) throws(ContentCodingError) in try decode(part, from: index + 1, take) }
  }

  /// Whether every coding has come to its end.
  var isComplete: Bool { decoders.allSatisfy { $0.isComplete } }
}
