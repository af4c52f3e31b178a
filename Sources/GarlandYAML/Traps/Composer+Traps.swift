import GarlandDiagnostics

/// What YAML accepts and nobody means.
extension Composer {
  mutating func checkPlain(_ value: UnsafeBufferPointer<UInt8>, _ offsets: Range<Int>, _ bytes: UnsafeBufferPointer<UInt8>) {
    _ = (value, offsets, bytes)
  }

  mutating func checkKey(_ node: YAMLNode) {
    guard case .scalar = node.content else {
      return report(Diagnostic(.invalidKey, "a key cannot be \(node.kindDescription)", at: node.range))
    }
  }

  mutating func explain(_ problem: LibYAML.Problem, at offset: Int, context: Int, _ bytes: UnsafeBufferPointer<UInt8>) {
    report(Diagnostic(.yamlSyntax, problem.text, at: range(offset..<offset)))
  }
}
