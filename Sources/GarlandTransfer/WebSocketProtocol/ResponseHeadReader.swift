/// Reads a response head that arrives in pieces. Interim heads (1xx) before it are skipped.
struct ResponseHeadReader {
  private let limit: Int
  private(set) var head = ResponseHead()
  /// The bytes after the last complete line. Once the head is complete, these are the bytes after the head.
  private(set) var rest: [UInt8] = []

  /// Creates a reader.
  ///
  /// - Parameter limit: The maximum size in bytes of the head.
  init(limit: Int) { self.limit = limit }

  /// Reads a piece of the response. Returns whether the head is complete.
  mutating func take(_ piece: [UInt8]) throws(NetworkingError) -> Bool {
    rest += piece
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      let line = Array(rest[...end])
      rest.removeFirst(line.count)
      if try take(line: line) { return true }
    }
    guard head.byteCount + rest.count <= limit else { throw NetworkingError(.headerTooLarge(limit: limit)) }
    return false
  }

  private mutating func take(line: [UInt8]) throws(NetworkingError) -> Bool {
    do throws(InvalidHead) {
      let kind = line.withUnsafeBytes { line in Result { () throws(InvalidHead) in try head.take(line) } }
      switch try kind.get() {
      case .more, .interimEnd: break
      case .end: return true
      }
    } catch {
      throw NetworkingError(.invalidResponse(detail: error.detail))
    }
    guard head.byteCount <= limit else { throw NetworkingError(.headerTooLarge(limit: limit)) }
    return false
  }
}
