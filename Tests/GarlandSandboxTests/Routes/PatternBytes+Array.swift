@testable import GarlandSandbox

extension PatternBytes {
  /// Returns the bytes of `range` as one array.
  func bytes(_ range: Range<UInt64>) -> [UInt8] {
    var output: [UInt8] = []
    forEachPiece(in: range) { output.append(contentsOf: $0) }
    return output
  }
}
