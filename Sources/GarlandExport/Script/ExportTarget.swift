/// A load testing tool to which a workflow can be exported.
package enum ExportTarget: String, Sendable, CaseIterable {
  /// Locust, for which the script is a Python file.
  case locust
  /// k6, for which the script is a JavaScript module.
  case k6

  /// The name of the tool in messages.
  var name: String {
    switch self {
    case .locust: "Locust"
    case .k6: "k6"
    }
  }
}
