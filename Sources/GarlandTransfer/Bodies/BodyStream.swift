/// A request body that is produced piece by piece while the request is sent.
///
/// ```swift
/// request.body = .stream(BodyStream(length: nil) { file.chunks })
/// ```
/// The engine asks for the next piece only after it has sent the previous piece, so a slow network slows down the producer. If the content
/// must be sent again, after a redirect or because a reused connection was already closed, `make` is called again. If `make` can be called
/// only once, pass `isRepeatable: false`.
public struct BodyStream: Sendable {
  /// The length in bytes if it is known in advance; nil otherwise. Without a length, HTTP/1.1 sends the content chunked.
  public let length: Int64?
  /// Whether the content can be produced again.
  public let isRepeatable: Bool
  let makeReader: @Sendable () -> @Sendable () async throws -> [UInt8]?

  /// Creates a stream of the pieces of a sequence. `make` creates the sequence each time the
  /// content is sent.
  public init<Pieces: AsyncSequence & Sendable>(
    length: Int64? = nil, isRepeatable: Bool = true, _ make: @escaping @Sendable () -> Pieces
  ) where Pieces.Element == [UInt8] {
    self.length = length
    self.isRepeatable = isRepeatable
    makeReader = {
      let source = PieceSource(make())
      return { try await source.next() }
    }
  }

  /// Holds the iterator of a body's pieces. Only one caller advances the iterator at a time: the engine requests a piece only after it
  /// has received the previous piece.
  private actor PieceSource<Pieces: AsyncSequence & Sendable> where Pieces.Element == [UInt8] {
    private var iterator: Pieces.AsyncIterator?

    init(_ pieces: Pieces) { iterator = pieces.makeAsyncIterator() }

    func next() async throws -> [UInt8]? {
      guard var current = iterator.take() else { return nil }
      let piece = try await current.next(isolation: self)
      iterator = consume current
      return piece
    }
  }
}
