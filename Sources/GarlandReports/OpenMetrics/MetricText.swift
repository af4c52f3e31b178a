import GarlandResults

/// Metric families in the text that both [OpenMetrics 1.0](https://prometheus.io/docs/specs/om/open_metrics_spec/) and the older format of
/// Prometheus allow: gauges without timestamps, which the textfile collector of node_exporter refuses.
struct MetricText {
  /// A label's name and its value, which is not escaped yet.
  typealias Label = (name: StaticString, value: String)

  private(set) var bytes: [UInt8] = []

  /// Begins a family of gauges. A unit is also the end of its name.
  mutating func begin(_ name: StaticString, unit: StaticString? = nil, _ help: StaticString) {
    line("# HELP \(name) \(help)")
    line("# TYPE \(name) gauge")
    if let unit { line("# UNIT \(name) \(unit)") }
  }

  /// Adds a sample of the family.
  mutating func sample(_ name: StaticString, _ labels: String, _ value: String) { line("\(name){\(labels)} \(value)") }

  /// Ends the text.
  mutating func end() { line("# EOF") }

  /// The bytes so far, which are forgotten.
  mutating func take() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }

  private mutating func line(_ text: String) {
    bytes.append(contentsOf: text.utf8)
    bytes.append(UInt8(ascii: "\n"))
  }

  /// `file="a.yaml",step="create"`
  static func labels(_ labels: [Label]) -> String {
    labels.map { label in
      let value = label.value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
      return "\(label.name)=\"\(value)\""
    }.joined(separator: ",")
  }
}
