import GarlandDiagnostics
import GarlandYAML

/// Finds the source of a part of a scalar's text.
///
/// Most scalars stand in the source just as they are, without escapes or folding: then a place is a sum. For others YAML's own map is asked,
/// which reads the scalar again.
final class ScalarLocator: Sendable {
  private enum Way: Sendable {
    case verbatim(SourceFile, start: Int)
    case mapped(YAMLScalar, YAMLNode)
  }

  private let way: Way

  /// For a text that is not in YAML.
  init(verbatim range: SourceRange) {
    way = .verbatim(range.file, start: range.offsets.lowerBound)
  }

  init(_ scalar: YAMLScalar, in node: YAMLNode) {
    if !node.isAlias, let start = ScalarLocator.verbatimStart(scalar, node.range) {
      way = .verbatim(node.range.file, start: start)
    } else {
      way = .mapped(scalar, node)
    }
  }

  func range(_ offsets: Range<Int>) -> SourceRange {
    switch way {
    case .verbatim(let file, let start): SourceRange(file, start + offsets.lowerBound..<start + offsets.upperBound)
    case .mapped(let scalar, let node): scalar.sourceRange(of: offsets, in: node)
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
    return range.file.bytes[inner].elementsEqual(scalar.text.utf8) ? inner.lowerBound : nil
  }
}
