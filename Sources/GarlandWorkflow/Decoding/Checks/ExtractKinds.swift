import GarlandJSON
import GarlandYAML

/// Determines the possible kinds of an extract's value from the entry in the document. This happens before the entry is decoded, since
/// expressions that use the extract are checked against these kinds.
enum ExtractKinds {
  /// Returns the possible kinds of an extract's final value. With `then`, these are the kinds that the last filter returns; otherwise they
  /// are the kinds of the extracted value. If the extract has a `default`, the kinds of the default are added.
  static func value(of node: YAMLNode) -> ValueKinds {
    var kinds = found(by: node)
    guard let mapping = node.mapping else { return kinds }
    if let then = written(.then, mapping) { kinds = filtered(kinds, by: then) }
    if let fallback = written(.defaultValue, mapping) { kinds.formUnion(ValueKinds(written: fallback)) }
    return kinds
  }

  /// Returns the possible kinds of the extracted value, before the filters of `then` are applied.
  static func found(by node: YAMLNode) -> ValueKinds {
    if node.hasText(where: isPath) { return canSelectSeveral(node) ? .list : .any }
    guard let mapping = node.mapping else { return .any }
    let kinds = source(mapping)
    guard written(.matches, mapping) != nil else { return kinds }
    // A part of a text is a text. For a list, the result is the list of the parts of its items.
    return kinds.contains(.list) ? (kinds == .list ? .list : [.text, .list]) : .text
  }

  /// Whether a text in an entry of `extract` is a JSONPath.
  static func isPath(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    text.first == UInt8(ascii: "$") && !ExpressionScanner.hasExpression(text)
  }

  private static func written(_ key: ExtractKey, _ mapping: YAMLMapping) -> YAMLNode? {
    mapping.entries.last { $0.name == key.rawValue }?.value
  }

  private static func source(_ mapping: YAMLMapping) -> ValueKinds {
    func flag(_ key: ExtractKey) -> Bool? {
      if case .bool(let value)? = written(key, mapping)?.scalar?.value { value } else { nil }
    }
    let isText = [.json, .pointer, .xpath, .plist, .attribute].allSatisfy { written($0, mapping) == nil }
    if let takesAll = flag(.all) ?? flag(.first).map({ !$0 }) { return takesAll ? .list : isText ? .text : .any }
    if let path = written(.json, mapping) ?? written(.plist, mapping) { return canSelectSeveral(path) ? .list : .any }
    if written(.header, mapping) ?? written(.query, mapping) != nil { return [.text, .list] }
    return isText ? .text : .any
  }

  private static func canSelectSeveral(_ path: YAMLNode) -> Bool {
    // Most paths consist of names and indexes, and need not be parsed for this check.
    let isPlain = path.withText { text in
      !text.contains { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "?") }
        && !zip(text, text.dropFirst()).contains { $0 == UInt8(ascii: ".") && $1 == UInt8(ascii: ".") }
    }
    guard !isPlain, let text = path.scalar?.text, let parsed = try? JSONPath(text) else { return false }
    return !parsed.isSingular
  }

  /// Returns the possible kinds of a value after the filters of `then`. This function ignores mistakes in the filters, since they are
  /// reported when the filters are compiled.
  private static func filtered(_ kinds: ValueKinds, by then: YAMLNode) -> ValueKinds {
    guard let text = then.scalar?.text, let syntax = try? ExpressionParser.parseFilters(Array(text.utf8)) else { return .any }
    return self.kinds(of: syntax, subject: kinds)
  }

  private static func kinds(of syntax: SyntaxNode, subject: ValueKinds) -> ValueKinds {
    switch syntax.kind {
    case .subject: return subject
    case .literal(let value): return ValueKinds(value.kind)
    case .filter(let input, let name, _, let arguments):
      switch Filter(rawValue: name) {
      case .raw?: return kinds(of: input, subject: subject)
      case .default?:
        let given = kinds(of: input, subject: subject).subtracting(.null)
        return arguments.reduce(given) { $0.union(kinds(of: $1, subject: .any)) }
      case let filter?: return filter.signature.result
      case nil: return .any
      }
    default: return .any
    }
  }
}

extension ValueKinds {
  /// Creates the set of the possible kinds of a value that is written in a document. A value that is only an expression can be of any kind.
  init(written node: YAMLNode) {
    switch node.content {
    case .sequence: self = .list
    case .mapping: self = .mapping
    case .scalar(let scalar):
      if scalar.isString, ExpressionScanner.hasExpression(scalar.text) {
        self = scalar.text.hasPrefix("${") && scalar.text.hasSuffix("}") ? .any : .text
      } else {
        self = ValueKinds(TemplateCompiler.constant(scalar).kind)
      }
    }
  }
}
