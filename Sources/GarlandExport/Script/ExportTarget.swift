/// An engine for load that a workflow can be exported to.
public enum ExportTarget: String, Sendable, CaseIterable {
  /// Locust: a file in Python.
  case locust
  /// k6: a module in JavaScript.
  case k6

  /// Its name in messages.
  var name: String {
    switch self {
    case .locust: "Locust"
    case .k6: "k6"
    }
  }
}
