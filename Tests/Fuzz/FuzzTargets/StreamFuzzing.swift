import GarlandTransfer
import HTTPTypes

/// Decoders of streams. The items must not depend on the pieces in which the bytes arrive.
enum StreamFuzzing {
  /// The maximum size of an item.
  private static let limit = 64

  /// Returns the sizes of the pieces: one piece, single bytes, and some that follow from the input.
  private static func splits(_ input: [UInt8]) -> [[Int]] {
    var hash = InputSplit.hash(input)
    let drawn = (0..<24).map { _ in
      hash = hash &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(hash >> 33) % 12
    }
    return [[], Array(repeating: 1, count: input.count), drawn]
  }

  /// Calls `body` with each piece, and then with the rest.
  private static func forEachPiece(_ input: [UInt8], _ sizes: [Int], _ body: (UnsafeRawBufferPointer) throws -> Void) rethrows {
    var start = 0
    for size in sizes + [input.count] {
      let end = min(input.count, start + size)
      try input[start..<end].withUnsafeBytes(body)
      start = end
    }
  }

  static func eventViolation(of input: [UInt8]) -> String? {
    var results: Set<[ServerSentEvent]> = []
    for sizes in splits(input) {
      var decoder = EventStreamDecoder(limit: limit)
      var events: [ServerSentEvent] = []
      // A line over the limit is noticed sooner in small pieces, so that the events before it count.
      try? forEachPiece(input, sizes) { piece in
        _ = try decoder.decode(piece) { event in
          events.append(event)
          return true
        }
      }
      if let event = events.first(where: { $0.type.isEmpty || $0.id.contains("\0") }) { return "an impossible event: \(event)" }
      results.insert(events)
    }
    return results.count > 1 ? "events depend on the pieces" : nil
  }

  static func lineViolation(of input: [UInt8]) -> String? {
    var results: Set<[[UInt8]]> = []
    for sizes in splits(input) {
      var decoder = LineStreamDecoder(limit: limit)
      var lines: [[UInt8]] = []
      let take = { (line: UnsafeRawBufferPointer) in
        lines.append(Array(line))
        return true
      }
      do {
        try forEachPiece(input, sizes) { _ = try decoder.decode($0, take) }
        decoder.finish(take)
      } catch {
        lines.append([0x0A])
      }
      if lines.dropLast().contains(where: { $0.isEmpty || $0.contains(0x0A) }) { return "an impossible line" }
      results.insert(lines)
    }
    return results.count > 1 ? "lines depend on the pieces" : nil
  }

  static func partViolation(of input: [UInt8]) -> String? {
    var results: Set<[PartStreamDecoder.Token]> = []
    for sizes in splits(input) {
      var decoder = PartStreamDecoder(boundary: "b")
      var tokens: [PartStreamDecoder.Token] = []
      var isInPart = false
      var disorder: String?
      try? forEachPiece(input, sizes) { piece in
        decoder.add(piece)
        while let token = try decoder.next() {
          switch (token, isInPart, tokens.last) {
          case (.head, false, _), (.end, true, _): isInPart.toggle()
          case (.body(let bytes), true, .body(let before)?):
            tokens[tokens.count - 1] = .body(before + bytes)
            continue
          case (.body, true, _): break
          default: disorder = "a part without a beginning or an end"
          }
          tokens.append(token)
        }
      }
      if let disorder { return disorder }
      // The body of a part without an end depends on the pieces.
      if case .body? = tokens.last { tokens.removeLast() }
      results.insert(tokens.map { if case .body(let bytes) = $0 { .body(Array(bytes)[...]) } else { $0 } })
    }
    return results.count > 1 ? "parts depend on the pieces" : nil
  }
}
