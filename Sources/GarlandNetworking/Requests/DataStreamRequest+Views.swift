import GarlandJSON

extension DataStreamRequest {
  /// The lines of the response, decoded as UTF-8, without line ends (`\n` or `\r\n`). The last line
  /// may lack its line end.
  public var lines: LineSequence { LineSequence(base: self) }

  /// Decodes one value from each non-empty line: newline-delimited JSON.
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
