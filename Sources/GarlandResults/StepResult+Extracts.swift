import GarlandJSON

extension StepResult {
  /// The maximum size in bytes of an extracted value that is always shown, even if there is not enough memory for all values.
  private static let smallExtract = 4 << 10

  /// The total size in bytes of all extracted values.
  package var sizeOfExtracts: Int { extracted.reduce(0) { $0 + $1.value.utf8.count } }

  /// If memory is too short to show large extracted values, replaces each of them with a text about the lack of memory. A report that
  /// writes a value needs memory for up to four copies of the value.
  package mutating func omitExtractsWithoutRoom() {
    guard let shortage = MemorySupply.shortage(of: 4 * sizeOfExtracts) else { return }
    for index in extracted.indices where extracted[index].value.utf8.count > Self.smallExtract {
      extracted[index].value = Self.omitted(because: shortage)
    }
  }

  /// Returns the JSON text that replaces an extracted value that can't be shown.
  package static func omitted(because reason: String) -> String { JSONValue.string("not shown: \(reason)").jsonText() }
}
