/// The lines of a stream.
public struct LineSequence: AsyncSequence, Sendable {
  /// A line without its line end.
  public typealias Element = String
  let base: DataStreamRequest

  /// Creates a reader of the lines.
  public func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator()) }

  /// Reads the lines of the stream one after another.
  public struct Iterator: AsyncIteratorProtocol {
    /// The maximum length of a line in bytes.
    private static let limit = 16 << 20
    let base: DataStreamRequest.Iterator
    private var pending: [UInt8] = []
    /// The index in ``pending`` at which the next line starts. ``searched`` is the index up to
    /// which ``pending`` was searched for a line end.
    private var start = 0
    private var searched = 0
    private var isAtEnd = false

    init(base: DataStreamRequest.Iterator) { self.base = base }

    /// Returns the next line; nil at the end of the stream. Throws ``NetworkingError``.
    public mutating func next() async throws -> String? { try await next(isolation: nil) }

    /// Returns the next line; nil at the end of the stream.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(NetworkingError) -> String? {
      while true {
        if let end = pending[searched...].firstIndex(of: UInt8(ascii: "\n")) {
          defer {
            start = end + 1
            searched = start
          }
          return try text(start..<(end > start && pending[end - 1] == UInt8(ascii: "\r") ? end - 1 : end))
        }
        searched = pending.count
        if isAtEnd {
          if start == pending.count { return nil }
          defer { start = pending.count }
          return try text(start..<pending.count)
        }
        pending.removeSubrange(..<start)
        searched -= start
        start = 0
        guard pending.count <= Self.limit else { throw NetworkingError(.itemTooLarge(item: "line", limit: Int64(Self.limit))) }
        if let piece = try await base.next(isolation: actor) { pending += piece } else { isAtEnd = true }
      }
    }

    private func text(_ range: Range<Int>) throws(NetworkingError) -> String {
      guard let text = String(validating: pending[range], as: UTF8.self) else {
        throw NetworkingError(.serialization(.string(charset: "UTF-8")))
      }
      return text
    }
  }
}
