/// A pattern in PCRE2's dialect with the original offset of each byte, so that PCRE2's errors can be shown at
/// their positions in the original pattern.
struct TranslatedPattern {
  private(set) var bytes: [UInt8] = []
  /// For each byte of the translated pattern, its offset in the original pattern; nil if the translation changed nothing.
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

  /// Replaces the last byte of the translated pattern with `text`.
  mutating func replaceLast(with text: String) {
    bytes.removeLast()
    let source = sources?.popLast() ?? 0
    append(text, from: source)
  }

  /// Converts the offset of an error in the translated pattern to an offset in the original pattern. PCRE2 often reports the offset after
  /// the mistake.
  func sourceOffset(_ offset: Int) -> Int {
    guard let sources else { return offset }
    return offset < sources.count ? sources[offset] : sourceLength
  }
}
