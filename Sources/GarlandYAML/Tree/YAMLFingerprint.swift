import GarlandDiagnostics
import Glibc

/// A fingerprint of a node's source. Two nodes with the same fingerprint have the same content, even at different positions.
package struct YAMLFingerprint: Sendable {
  /// The hash of the node's source text.
  package let hash: UInt32
  /// The range of the node's source text.
  package let offsets: Range<Int>
  private let file: SourceFile
  /// The column in which the node begins, since the same text can have a different meaning in another column. It is -1 for a flow
  /// collection or an empty node, whose meaning does not depend on the column.
  private let column: Int

  init(_ file: SourceFile, _ offsets: Range<Int>) {
    self.file = file
    self.offsets = offsets
    var column = -1
    hash = file.bytes.withUnsafeBufferPointer { bytes in
      if let first = offsets.isEmpty ? nil : bytes[offsets.lowerBound], first != UInt8(ascii: "{"), first != UInt8(ascii: "[") {
        var line = offsets.lowerBound
        while line > 0, bytes[line - 1] != UInt8(ascii: "\n") { line -= 1 }
        column = offsets.lowerBound - line
      }
      return KeyIndex.hash(UnsafeBufferPointer(rebasing: bytes[offsets]))
    }
    self.column = column
  }

  /// Whether the nodes of both fingerprints are in the same file, and have equal source text and the same ``column``. The nodes may be on
  /// different lines.
  package func isSame(as other: YAMLFingerprint) -> Bool {
    guard hash == other.hash, column == other.column, offsets.count == other.offsets.count, file === other.file else { return false }
    return file.bytes.withUnsafeBufferPointer { bytes in
      guard let base = bytes.baseAddress else { return true }
      return memcmp(base + offsets.lowerBound, base + other.offsets.lowerBound, offsets.count) == 0
    }
  }
}
