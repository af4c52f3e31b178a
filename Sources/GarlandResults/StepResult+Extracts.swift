import GarlandJSON

extension StepResult {
  /// The size of an extracted value in bytes up to which it is always shown.
  private static let smallExtract = 4 << 10

  /// The total size in bytes of all extracted values.
  package var sizeOfExtracts: Int { extracted.reduce(0) { $0 + $1.value.utf8.count } }

  /// Replaces large extracted values with a text that says why they are not shown, if there is not enough memory to show them. While a
  /// report writes a value, it needs memory for up to four copies of the value.
  package mutating func omitExtractsWithoutRoom() {
    guard let shortage = MemorySupply.shortage(of: 4 * sizeOfExtracts) else { return }
    for index in extracted.indices where extracted[index].value.utf8.count > Self.smallExtract {
      extracted[index].value = Self.omitted(because: shortage)
    }
  }

  /// Returns the JSON text that replaces an extracted value that can't be shown.
  package static func omitted(because reason: String) -> String { JSONValue.string("not shown: \(reason)").jsonText() }
}
