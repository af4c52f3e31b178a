/// Decodes one content coding (RFC 9110, section 8.4), piece by piece.
///
/// libcurl has decoders too, but they accept a truncated body as complete.
protocol ContentDecoder: AnyObject {
  /// Decodes a piece of the encoded body, and passes the decoded bytes to `take` in pieces.
  func decode(
    _ piece: UnsafeRawBufferPointer, _ take: (UnsafeRawBufferPointer) throws(ContentCodingError) -> Void
  ) throws(ContentCodingError)

  /// Whether the input so far is a complete encoded body.
  var isComplete: Bool { get }
}

/// The reason why the decoding of a body stopped.
enum ContentCodingError: Error {
  /// The content is invalid.
  case invalid(String)
  /// The caller stopped the decoding for its own reason, such as a passed deadline.
  case refused
}

/// Decodes a body with several codings. The coding that was applied last is decoded first.
struct ContentDecoding {
  /// The supported codings as a value of `Accept-Encoding`, in curl's order.
  static let offer = "deflate, gzip, br, zstd"
  /// The maximum number of content codings of a body, since each coding needs memory.
  private static let limit = 5

  private let decoders: [any ContentDecoder]

  /// Creates the decoders for a `Content-Encoding` value.
  ///
  /// Returns nil if there is nothing to decode.
  ///
  /// - Throws: An error for an unsupported coding, and for too many codings.
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
      default: throw .invalid("the coding `\(name.prefix(40))` is unknown")
      }
      if decoders.count > Self.limit { throw .invalid("more than \(Self.limit) codings") }
    }
    if decoders.isEmpty { return nil }
    self.decoders = decoders.reversed()
  }

  /// The maximum number of encoded bytes that are decoded before other transfers continue. The number is small, because one encoded byte
  /// can become a thousand bytes, and with a second coding a million bytes.
  var mostAtOnce: Int { decoders.count > 1 ? 1 : 256 }

  /// Decodes a piece and passes the output to `take`, also piece by piece.
  ///
  /// - Parameters:
  ///   - piece: The encoded bytes.
  ///   - isOver: Returns whether to stop. It is called for each piece of output of every coding, since the last coding may produce no
  ///     output from a gigabyte of input.
  ///   - take: Receives the output.
  func decode(
    _ piece: UnsafeRawBufferPointer, until isOver: () -> Bool, _ take: (UnsafeRawBufferPointer) throws(ContentCodingError) -> Void
  ) throws(ContentCodingError) {
    try decode(piece, from: 0, until: isOver, take)
  }

  private func decode(
    _ piece: UnsafeRawBufferPointer, from index: Int, until isOver: () -> Bool,
    _ take: (UnsafeRawBufferPointer) throws(ContentCodingError) -> Void
  ) throws(ContentCodingError) {
    guard index < decoders.count else { return try take(piece) }
    try decoders[index].decode(piece) { (part) throws(ContentCodingError) in
      if isOver() { throw .refused }
      try decode(part, from: index + 1, until: isOver, take)
    }
  }

  /// Whether the input so far is complete, so that no content coding of the body needs more bytes.
  var isComplete: Bool { decoders.allSatisfy { $0.isComplete } }
}
