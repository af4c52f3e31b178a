/// Looks for secrets in a whole text and in all layers beneath its escapes and its base64.
struct SecretSearch {
  /// How many layers are looked through.
  private static let layers = 4
  /// In how many of them all dialects are tried: each may be followed by each.
  private static let layersOfAnyDialect = 2

  private let patterns: PatternIndex
  /// How many letters of base64 the shortest secret has, and how many if it is encoded so twice. Once and on one line patterns know it already.
  private let once: Int
  private let twice: Int
  private var ranges: [Range<Int>] = []

  /// What is secret of a text, as ranges in order and without overlaps.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - patterns: what to look for.
  ///   - shortest: how many bytes the shortest secret has.
  static func ranges(in text: UnsafeBufferPointer<UInt8>, _ patterns: PatternIndex, shortest: Int) -> [Range<Int>] {
    var search = SecretSearch(patterns, shortest: shortest)
    patterns.forEachMatch(in: text) { search.ranges.append($0) }
    if text.count < DecodedText.largest { search.lookBeneath(text, nil, layers) { (Int32($0), Int32($1)) } }
    return search.merged
  }

  private init(_ patterns: PatternIndex, shortest: Int) {
    self.patterns = patterns
    once = Base64Run.letters(forBytes: shortest)
    twice = Base64Run.letters(forBytes: once)
  }

  /// Searches what a text says when its escapes, or its base64, are decoded.
  ///
  /// - Parameter dialect: of the layer above, which is that of all others once so many have been tried.
  private mutating func lookBeneath(
    _ text: UnsafeBufferPointer<UInt8>, _ dialect: DecodedText.Dialect?, _ left: Int, _ place: DecodedText.Place
  ) {
    guard left > 0 else { return }
    let isSettled = left <= Self.layers - Self.layersOfAnyDialect
    for dialect in isSettled ? [dialect ?? DecodedText.Dialect()] : DecodedText.Dialect.all(for: text) {
      guard let layer = DecodedText(text, dialect, place) else { continue }
      look(at: layer, dialect, left - 1)
    }
    var found: [DecodedText] = []
    var scratch: [UInt8] = []
    Base64Run.forEach(in: text, shortest: twice, shortestBroken: once) { run in
      for offset in 0..<min(4, run.letters.count) {
        scratch.removeAll(keepingCapacity: true)
        run.decode(from: offset, into: &scratch)
        if run.isCut { scratch += PatternIndex.ellipsis }
        if scratch.withUnsafeBufferPointer(mayHide) { found.append(DecodedText(run, from: offset, place)) }
      }
    }
    for layer in found { look(at: layer, dialect, left - 1) }
  }

  /// Whether it is worth the while to look for the places of what was decoded. Most of it is base64 by chance.
  private func mayHide(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    if patterns.hasMatch(in: bytes) || DecodedText.hasEscape(bytes, DecodedText.Dialect()) { return true }
    var hasRun = false
    Base64Run.forEach(in: bytes, shortest: twice, shortestBroken: once) { _ in hasRun = true }
    return hasRun
  }

  private mutating func look(at layer: DecodedText, _ dialect: DecodedText.Dialect?, _ left: Int) {
    layer.bytes.withUnsafeBufferPointer { bytes in
      patterns.forEachMatch(in: bytes) { ranges.append(Int(layer.starts[$0.lowerBound])..<Int(layer.ends[$0.upperBound - 1])) }
      lookBeneath(bytes, dialect, left) { (layer.starts[$0], layer.ends[$1 - 1]) }
    }
  }

  private var merged: [Range<Int>] {
    guard ranges.count > 1 else { return ranges }
    return ranges.sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { merged, range in
      if let last = merged.last, range.lowerBound < last.upperBound {
        merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
  }
}
