import GarlandDiagnostics

/// All nodes of a document, stored in a few arrays. A node takes only 20 bytes, and a document of a hundred thousand steps is released
/// quickly, since only a few arrays are freed.
///
/// Most scalars are stored without their text, since their text can be read from the source.
final class YAMLTree: Sendable {
  /// The kind of a node.
  enum Kind: UInt8, Sendable { case scalar, sequence, mapping }

  let file: SourceFile
  let records: [Record]
  let links: [Int32]
  let texts: [String]
  let names: [Int32: String]
  /// The key indexes of large mappings. Each dictionary key is the node number of a mapping.
  let indexes: [Int32: KeyIndex]
  /// For a tree that was created from a mapping, this mapping: the content of the tree's only node. Nil for a tree that was parsed from
  /// text.
  let replacement: YAMLMapping?

  init(
    file: SourceFile, records: [Record], links: [Int32], texts: [String], names: [Int32: String], indexes: [Int32: KeyIndex],
    replacement: YAMLMapping? = nil
  ) {
    self.file = file
    self.records = records
    self.links = links
    self.texts = texts
    self.names = names
    self.indexes = indexes
    self.replacement = replacement
  }

  subscript(node: Int32) -> Record { records[Int(node)] }

  func text(of node: Int32) -> String {
    let record = self[node]
    guard let range = record.verbatimRange else { return texts[Int(record.first)] }
    return file.bytes.withUnsafeBufferPointer { String(decoding: UnsafeBufferPointer(rebasing: $0[range]), as: UTF8.self) }
  }

  /// Calls `body` with the UTF-8 of a scalar. For any other node, calls `body` with no bytes.
  func withText<Result>(of node: Int32, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    let record = self[node]
    guard record.kind == .scalar else { return body(UnsafeBufferPointer(start: nil, count: 0)) }
    guard let range = record.verbatimRange else {
      var text = texts[Int(record.first)]
      return text.withUTF8(body)
    }
    return file.bytes.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[range])) }
  }

  /// Calls `body` with the position and the UTF-8 of each key of a mapping.
  func forEachKey(of node: Int32, _ body: (Int, UnsafeBufferPointer<UInt8>) -> Void) {
    let record = self[node]
    let first = Int(record.first)
    let count = record.linkCount(in: links) / 2
    file.bytes.withUnsafeBufferPointer { bytes in
      for position in 0..<count {
        let key = links[first + 2 * position]
        if let range = self[key].verbatimRange, self[key].kind == .scalar {
          body(position, UnsafeBufferPointer(rebasing: bytes[range]))
        } else {
          withText(of: key) { body(position, $0) }
        }
      }
    }
  }

  /// Whether a node is a scalar with this UTF-8 text.
  func hasText(_ node: Int32, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
    let record = self[node]
    guard record.kind == .scalar else { return false }
    guard let range = record.verbatimRange else { return texts[Int(record.first)].utf8.elementsEqual(text) }
    guard range.count == text.count else { return false }
    return file.bytes.withUnsafeBufferPointer { $0[range].elementsEqual(text) }
  }

  /// Whether a node is the null value.
  func isNull(_ node: Int32) -> Bool {
    let record = self[node]
    return record.kind == .scalar && record.scalar == .null
  }

  /// Returns the number of child nodes of a collection. In a mapping, each key and each value is a child node.
  func count(of node: Int32) -> Int { self[node].linkCount(in: links) }

  /// Returns the node number of a child of a collection. The positions of the children count from 0. In a mapping, keys and values
  /// alternate.
  func child(_ position: Int, of node: Int32) -> Int32 { links[Int(self[node].first) + position] }

  func range(of node: Int32) -> SourceRange {
    let record = self[node]
    return SourceRange(file, Int(record.start)..<Int(record.end))
  }
}
