/// Looks for secrets in a whole text and in all layers beneath its escapes, its base64 and its hexadecimal digits.
struct SecretSearch {
  /// The number of layers that are searched.
  private static let layers = 4
  /// The number of layers for which all combinations of dialects are tried.
  private static let layersOfAnyDialect = 2

  private let patterns: PatternIndex
  private let lengths: [Lengths]
  private var ranges: [Range<Int>] = []

  /// How many letters of an alphabet a run must have to be decoded.
  struct Lengths: Sendable {
    fileprivate let alphabet: EncodedRun.Alphabet
    /// On one line, where patterns know the secret itself in these letters.
    fileprivate let onOneLine: Int
    fileprivate let onSeveral: Int

    /// Those of all alphabets.
    ///
    /// - Parameter shortest: how many bytes the shortest secret has.
    static func all(forShortest shortest: Int) -> [Lengths] {
      // Patterns know a secret in these letters, but not all escapes of it: one with an escape is at least one byte longer.
      [EncodedRun.Alphabet.base64, .hex].map { alphabet in
        Lengths(
          alphabet: alphabet, onOneLine: alphabet.letters(forBytes: shortest + 1), onSeveral: alphabet.letters(forBytes: shortest))
      }
    }
  }

  /// What is secret of a text, as ranges in order and without overlaps.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - patterns: what to look for.
  ///   - lengths: how long a run of letters must be to hide a secret.
  static func ranges(in text: UnsafeBufferPointer<UInt8>, _ patterns: PatternIndex, _ lengths: [Lengths]) -> [Range<Int>] {
    var search = SecretSearch(patterns, lengths)
    patterns.forEachMatch(in: text) { search.ranges.append($0) }
    if text.count < DecodedText.largest { search.lookBeneath(text, nil, layers) { (Int32($0), Int32($1)) } }
    return search.merged
  }

  private init(_ patterns: PatternIndex, _ lengths: [Lengths]) {
    self.patterns = patterns
    self.lengths = lengths
  }

  /// Searches what a text says when its escapes, its base64 or its hexadecimal digits are decoded.
  ///
  /// - Parameter dialect: The dialect of the previous layer, which all further layers share once
  ///   enough combinations were tried.
  private mutating func lookBeneath(
    _ text: UnsafeBufferPointer<UInt8>, _ dialect: DecodedText.Dialect?, _ left: Int, _ place: DecodedText.Place
  ) {
    guard left > 0 else { return }
    let isSettled = left <= Self.layers - Self.layersOfAnyDialect
    for dialect in isSettled ? (dialect ?? DecodedText.Dialect()).inherited(for: text) : DecodedText.Dialect.all(for: text) {
      guard let layer = DecodedText(text, dialect, place) else { continue }
      look(at: layer, dialect, left - 1)
    }
    var found: [DecodedText] = []
    var scratch: [UInt8] = []
    for lengths in lengths {
      forEachRun(in: text, lengths) { run in
        for offset in 0..<min(lengths.alphabet.group, run.letters.count) {
          scratch.removeAll(keepingCapacity: true)
          run.decode(from: offset, into: &scratch)
          if run.isCut { scratch += PatternIndex.ellipsis }
          if scratch.withUnsafeBufferPointer(mayHide) { found.append(DecodedText(run, from: offset, place)) }
        }
      }
    }
    for layer in found { look(at: layer, dialect, left - 1) }
  }

  private func forEachRun(in text: UnsafeBufferPointer<UInt8>, _ lengths: Lengths, _ body: (EncodedRun) -> Void) {
    EncodedRun.forEach(in: text, lengths.alphabet, shortest: lengths.onOneLine, shortestBroken: lengths.onSeveral, body)
  }

  /// Whether it is worth the while to look for the places of what was decoded. Most of it is base64 by chance.
  private func mayHide(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    if patterns.hasMatch(in: bytes) || DecodedText.hasEscape(bytes, DecodedText.Dialect()) { return true }
    return lengths.contains { lengths in
      var hasRun = false
      forEachRun(in: bytes, lengths) { _ in hasRun = true }
      return hasRun
    }
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
