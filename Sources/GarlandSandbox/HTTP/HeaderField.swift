extension [HeaderField] {
  /// The value of the first field of that name.
  func first(_ name: String) -> String? {
    first { $0.name.equalsIgnoringCase(name) }?.value
  }

  /// The values of all fields of that name, in order.
  func all(_ name: String) -> [String] {
    lazy.filter { $0.name.equalsIgnoringCase(name) }.map(\.value)
  }

  /// The members of a comma-separated list that may stretch over several fields.
  func list(_ name: String) -> [String] {
    all(name).flatMap { $0.list(separatedBy: ",") }
  }

  func contains(_ name: String) -> Bool {
    contains { $0.name.equalsIgnoringCase(name) }
  }
}
