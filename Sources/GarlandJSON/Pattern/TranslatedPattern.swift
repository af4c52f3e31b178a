/// A pattern in PCRE2's dialect that remembers where each byte comes from, so that PCRE2's complaints can be placed in the original.
struct TranslatedPattern {
  private(set) var bytes: [UInt8] = []
  /// The offset in the original of each byte; nil when nothing was changed.
  private var sources: [Int]? = []
  private let sourceLength: Int

  init(sourceLength: Int) {
    self.sourceLength = sourceLength
    bytes.reserveCapacity(sourceLength + 16)
  }

  init(verbatim pattern: String) {
    bytes = Array(pattern.utf8)
    sources = nil
    sourceLength = bytes.count
  }

  mutating func append(_ text: some Sequence<UInt8>, from source: Int) {
    for byte in text {
      bytes.append(byte)
      sources?.append(source)
    }
  }

  mutating func append(_ text: String, from source: Int) {
    append(text.utf8, from: source)
  }

  /// Puts something else in the place of the last byte.
  mutating func replaceLast(with text: String) {
    bytes.removeLast()
    let source = sources?.popLast() ?? 0
    append(text, from: source)
  }

  /// PCRE2 often names the offset behind what it does not like.
  func sourceOffset(_ offset: Int) -> Int {
    guard let sources else { return offset }
    return offset < sources.count ? sources[offset] : sourceLength
  }
}
