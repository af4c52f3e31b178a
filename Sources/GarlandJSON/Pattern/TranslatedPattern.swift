/// A pattern in PCRE2's dialect with the original offset of each byte, so that PCRE2's errors get
/// places in the original.
struct TranslatedPattern {
  private(set) var bytes: [UInt8] = []
  /// The offset in the original of each byte; nil when the translation changed nothing.
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

  /// Replaces the last byte by `text`.
  mutating func replaceLast(with text: String) {
    bytes.removeLast()
    let source = sources?.popLast() ?? 0
    append(text, from: source)
  }

  /// Returns the original offset of an error. PCRE2 often names the offset after the mistake.
  func sourceOffset(_ offset: Int) -> Int {
    guard let sources else { return offset }
    return offset < sources.count ? sources[offset] : sourceLength
  }
}
