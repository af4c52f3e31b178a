extension [HeaderField] {
  /// Returns the value of the first field with a name; nil if there is none.
  func first(_ name: String) -> String? {
    first { $0.name.equalsIgnoringCase(name) }?.value
  }

  /// Returns the values of all fields with a name, in order.
  func all(_ name: String) -> [String] {
    lazy.filter { $0.name.equalsIgnoringCase(name) }.map(\.value)
  }

  /// Returns the members of a comma-separated list, which may be spread over several fields.
  func list(_ name: String) -> [String] {
    all(name).flatMap { $0.list(separatedBy: ",") }
  }

  func contains(_ name: String) -> Bool {
    contains { $0.name.equalsIgnoringCase(name) }
  }
}
