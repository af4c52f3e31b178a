/// The properties of the registered secrets that decide which encodings the search for secrets must decode. For example, `+` is decoded as
/// a space only if a registered secret contains a space.
struct SecretTraits {
  /// Whether at least one secret contains text that looks like an escape, such as `%41`.
  var haveEscapes = false
  /// Whether at least one registered secret contains a space, which forms write as `+`.
  var haveSpaces = false

  /// Adds the properties of another registered secret.
  mutating func add(_ secret: String) {
    var secret = secret
    haveSpaces = haveSpaces || secret.utf8.contains(UInt8(ascii: " "))
    haveEscapes = haveEscapes || secret.withUTF8 { DecodedText.hasEscape($0, DecodedText.Dialect()) }
  }
}

/// Searches a whole text for secrets. Also decodes escapes, base64 and hexadecimal digits in the text, even if they are nested, and
/// searches the results.
struct SecretSearch {
  /// The maximum number of nested encodings that are decoded. Base64 in percent-encoding counts as 2.
  private static let layers = 4
  /// The number of outer layers of nested encodings that are decoded in every dialect (a set of escape formats that are decoded together).
  /// Deeper layers are decoded only in some dialects.
  private static let layersOfAnyDialect = 2

  private let patterns: PatternIndex
  /// The number of base64 letters that encode the shortest secret. A base64 text with fewer letters can't contain a secret, not even an
  /// escaped one, since escapes only make a secret longer.
  private let letters: Int
  /// The number of hexadecimal digits that encode the shortest secret.
  private let digits: Int
  private let traits: SecretTraits
  /// The hashes of the decoded texts that were already searched. If a text has nested escapes, several dialects (rules for decoding
  /// escapes) often give the same decoded text, which is then searched only once. This set is used only if a secret contains escapes.
  private var seen: Set<Int> = []
  private var ranges: [Range<Int>] = []

  /// Returns the ranges of a text that are secret, in order and without overlaps.
  ///
  /// - Parameters:
  ///   - text: The whole text to search.
  ///   - patterns: The patterns to search for.
  ///   - shortest: The number of bytes of the shortest secret.
  ///   - traits: The properties of the secrets.
  static func ranges(
    in text: UnsafeBufferPointer<UInt8>, _ patterns: PatternIndex, shortest: Int, _ traits: SecretTraits
  ) -> [Range<Int>] {
    var search = SecretSearch(patterns, shortest: shortest, traits)
    patterns.forEachMatch(in: text) { search.ranges.append($0) }
    if text.count < DecodedText.largest { search.lookBeneath(text, nil, layers) { (Int32($0), Int32($1)) } }
    return search.merged
  }

  private init(_ patterns: PatternIndex, shortest: Int, _ traits: SecretTraits) {
    self.patterns = patterns
    self.traits = traits
    letters = Base64Run.letters(forBytes: shortest)
    digits = shortest * 2
  }

  /// Decodes the escapes, base64 and hexadecimal digits in a text, and searches the decoded texts.
  ///
  /// Each call decodes one layer of nested encodings. A dialect is a set of escape formats that are decoded together:
  ///
  /// - The outer ``layersOfAnyDialect`` layers are decoded in every dialect.
  /// - If no secret contains escapes, a deeper layer is decoded in the dialect of the layer around it.
  /// - If a secret contains escapes, a deeper layer is decoded several times, each time with a single escape format.
  ///
  /// - Parameter dialect: The dialect in which the layer around this text was decoded; nil if no escapes were decoded yet.
  private mutating func lookBeneath(
    _ text: UnsafeBufferPointer<UInt8>, _ dialect: DecodedText.Dialect?, _ left: Int, _ place: DecodedText.Place
  ) {
    guard left > 0 else { return }
    let isSettled = left <= Self.layers - Self.layersOfAnyDialect
    let settled = traits.haveEscapes ? DecodedText.Dialect.single : [dialect ?? DecodedText.Dialect()]
    for dialect in isSettled ? settled : DecodedText.Dialect.all(for: text, traits) {
      guard let layer = DecodedText(text, dialect, place) else { continue }
      if traits.haveEscapes, !seen.insert(Self.hash(layer, left)).inserted { continue }
      look(at: layer, dialect, left - 1)
    }
    var found: [DecodedText] = []
    var scratch: [UInt8] = []
    Base64Run.forEach(in: text, shortest: letters) { run in
      for offset in 0..<min(4, run.letters.count) {
        scratch.removeAll(keepingCapacity: true)
        run.decode(from: offset, into: &scratch)
        if run.isCut { scratch += PatternIndex.ellipsis }
        if scratch.withUnsafeBufferPointer(mayHide) { found.append(DecodedText(run, from: offset, place)) }
      }
    }
    HexRun.forEach(in: text, shortest: digits) { run in
      for offset in 0..<2 {
        scratch.removeAll(keepingCapacity: true)
        run.decode(from: offset, of: text, into: &scratch)
        if run.isCut { scratch += PatternIndex.ellipsis }
        if scratch.withUnsafeBufferPointer(mayHide) { found.append(DecodedText(run, from: offset, of: text, place)) }
      }
    }
    for layer in found { look(at: layer, dialect, left - 1) }
  }

  private static func hash(_ layer: DecodedText, _ left: Int) -> Int {
    var hasher = Hasher()
    hasher.combine(left)
    hasher.combine(layer.starts.first)
    hasher.combine(layer.ends.last)
    layer.bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    return hasher.finalize()
  }

  /// Whether decoded bytes may contain a secret. If false, the slow search for the positions of the bytes in the source text is skipped.
  /// The result is usually false: most text that can be decoded as base64 was never encoded as base64.
  private func mayHide(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    if patterns.hasMatch(in: bytes) || DecodedText.hasEscape(bytes, DecodedText.Dialect()) { return true }
    var hasRun = false
    Base64Run.forEach(in: bytes, shortest: letters) { _ in hasRun = true }
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
