import GarlandJSON

extension DataStreamRequest {
  /// The text line by line, as UTF-8, without line ends (`\n` or `\r\n`). The last one need not have an end.
  public var lines: LineSequence { LineSequence(base: self) }

  /// One value for each line that is not empty: newline-delimited JSON.
  ///
  /// ```swift
  /// for try await event in session.stream(url).values(of: Event.self) { … }
  /// ```
  public func values<Value: Decodable & Sendable>(
    of type: Value.Type = Value.self, decoder: ValueDecoder = ValueDecoder()
  ) -> AsyncThrowingMapSequence<AsyncFilterSequence<LineSequence>, Value> {
    lines.filter { line in !line.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 } }.map { line in
      do {
        return try decoder.decode(type, from: try JSONValue(parsing: line))
      } catch let error as JSONParsingError {
        throw NetworkingError(.serialization(.json(error)))
      } catch let error as NetworkingError.Serialization {
        throw NetworkingError(.serialization(error))
      }
    }
  }
}

/// The lines of a stream.
public struct LineSequence: AsyncSequence, Sendable {
  /// A line without its end.
  public typealias Element = String
  let base: DataStreamRequest

  /// The lines.
  public func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator()) }

  /// Reads the lines.
  public struct Iterator: AsyncIteratorProtocol {
    /// A line may be this long.
    private static let limit = 16 << 20
    let base: DataStreamRequest.Iterator
    private var pending: [UInt8] = []
    /// Where the next line begins in ``pending``, and from where on nobody has looked for its end.
    private var start = 0
    private var searched = 0
    private var isAtEnd = false

    init(base: DataStreamRequest.Iterator) { self.base = base }

    /// The next line, nil at the end. Throws ``NetworkingError``.
    public mutating func next() async throws -> String? {
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
        guard pending.count <= Self.limit else { throw NetworkingError(.bodyTooLarge(limit: Int64(Self.limit))) }
        if let piece = try await base.next() { pending += piece } else { isAtEnd = true }
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
