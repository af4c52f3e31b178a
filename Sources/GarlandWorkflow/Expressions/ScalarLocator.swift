import GarlandDiagnostics
import GarlandYAML

/// Converts offsets in the text of a YAML scalar to source ranges in the document, for diagnostics.
///
/// Most scalars contain no escapes or folding. In these scalars, a position in the source is the start of the scalar's text plus the offset
/// in the text. For other scalars, the YAML parser reads the scalar again to map its text to the source.
struct ScalarLocator: Sendable {
  private enum Way: Sendable {
    case verbatim(SourceFile, start: UInt32)
    indirect case mapped(YAMLScalar, SourceRange)
    /// The scalar is a YAML alias. Its text is in another place of the document, so diagnostics about any part of the text have the source
    /// range of the alias.
    indirect case whole(YAMLScalar, SourceRange)
  }

  private let way: Way

  /// Creates a locator for a text that is not part of a YAML document. In the source, the text begins at the start of `range`, without
  /// quotes or escapes.
  init(verbatim range: SourceRange) {
    way = .verbatim(range.file, start: UInt32(clamping: range.offsets.lowerBound))
  }

  init(_ scalar: YAMLScalar, in node: YAMLNode) {
    if !node.isAlias, let start = ScalarLocator.verbatimStart(scalar, node.range) {
      way = .verbatim(node.range.file, start: UInt32(clamping: start))
    } else {
      way = node.isAlias ? .whole(scalar, node.range) : .mapped(scalar, node.range)
    }
  }

  /// The file that contains the text.
  var file: SourceFile {
    switch way {
    case .verbatim(let file, _): file
    case .mapped(_, let place), .whole(_, let place): place.file
    }
  }

  func range(_ offsets: Range<Int>) -> SourceRange {
    switch way {
    case .verbatim(let file, let start): SourceRange(file, Int(start) + offsets.lowerBound..<Int(start) + offsets.upperBound)
    case .mapped(let scalar, let place): scalar.sourceRange(of: offsets, at: place)
    case .whole(_, let place): place
    }
  }

  /// Returns `text` as it must be written in the source of this scalar, in place of a part of the scalar.
  ///
  /// In a scalar with quotes, special characters of `text` are escaped. In any other scalar, `text` is unchanged. Returns nil if the scalar
  /// is a YAML alias.
  func written(_ text: String) -> String? {
    let style: YAMLScalar.Style
    switch way {
    case .whole: return nil
    case .mapped(let scalar, _): style = scalar.style
    case .verbatim(let file, let start):
      let before = start > 0 ? file.bytes[Int(start) - 1] : 0
      style = before == UInt8(ascii: "'") ? .singleQuoted : before == UInt8(ascii: "\"") ? .doubleQuoted : .plain
    }
    switch style {
    case .singleQuoted: return text.replacing("'", with: "''")
    case .doubleQuoted: return text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    case .plain, .literal, .folded: return text
    }
  }

  /// Returns the part of the scalar's text at the given byte offsets.
  func text(_ offsets: Range<Int>) -> String {
    switch way {
    case .verbatim(let file, let start):
      String(decoding: file.bytes[Int(start) + offsets.lowerBound..<Int(start) + offsets.upperBound], as: UTF8.self)
    case .mapped(let scalar, _), .whole(let scalar, _): String(decoding: Array(scalar.text.utf8)[offsets], as: UTF8.self)
    }
  }

  private static func verbatimStart(_ scalar: YAMLScalar, _ range: SourceRange) -> Int? {
    let quotes: Int
    switch scalar.style {
    case .plain: quotes = 0
    case .singleQuoted, .doubleQuoted: quotes = 1
    case .literal, .folded: return nil
    }
    let inner = range.offsets.lowerBound + quotes..<range.offsets.upperBound - quotes
    guard inner.count == scalar.text.utf8.count, inner.upperBound <= range.file.bytes.count else { return nil }
    var text = scalar.text
    let isSame = text.withUTF8 { text in
      range.file.bytes.withUnsafeBufferPointer { UnsafeBufferPointer(rebasing: $0[inner]).isSame(as: text) }
    }
    return isSame ? inner.lowerBound : nil
  }
}
