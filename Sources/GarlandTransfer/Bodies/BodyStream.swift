/// A request's content that is produced while it is sent.
///
/// ```swift
/// request.body = .stream(BodyStream(length: nil) { file.chunks })
/// ```
/// The engine asks for the next piece only when the one before has left, so a slow network slows the producer down. Each time the
/// content has to be sent (after a redirect, on a connection that turned out to be closed), `make` is called anew; if it can be called only
/// once, say so by `isRepeatable: false`.
public struct BodyStream: Sendable {
  /// The length if it is known beforehand; otherwise HTTP/1.1 sends it chunked.
  public let length: Int64?
  /// Whether the content can be produced again.
  public let isRepeatable: Bool
  let makeReader: @Sendable () -> @Sendable () async throws -> [UInt8]?

  /// A stream of the pieces of a sequence, made by `make` for each time the content is sent.
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

  /// One iterator, advanced by one caller at a time: the engine asks for a piece only after it was given the one before.
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
