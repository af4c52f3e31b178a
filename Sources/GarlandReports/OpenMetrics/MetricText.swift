/// Writes metric families in a text that both [OpenMetrics
/// 1.0](https://prometheus.io/docs/specs/om/open_metrics_spec/) and the older format of Prometheus allow.
///
/// The families are gauges without timestamps, because the textfile collector of node_exporter refuses
/// timestamps.
struct MetricText {
  /// The name of a label, and its value before escaping.
  typealias Label = (name: StaticString, value: String)

  private(set) var bytes: [UInt8] = []

  /// Begins a family of gauges. If the family has a unit, its name must end with the unit.
  mutating func begin(_ name: StaticString, unit: StaticString? = nil, _ help: StaticString) {
    line("# HELP \(name) \(help)")
    line("# TYPE \(name) gauge")
    if let unit { line("# UNIT \(name) \(unit)") }
  }

  /// Adds a sample to the metric family that was begun last.
  mutating func sample(_ name: StaticString, _ labels: String, _ value: String) { line("\(name){\(labels)} \(value)") }

  /// Writes the line `# EOF`, which ends the text.
  mutating func end() { line("# EOF") }

  /// Returns the bytes written so far and removes them.
  mutating func take() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }

  private mutating func line(_ text: String) {
    bytes.append(contentsOf: text.utf8)
    bytes.append(UInt8(ascii: "\n"))
  }

  /// Returns labels as text, such as `file="a.yaml",step="create"`.
  static func labels(_ labels: [Label]) -> String {
    labels.map { label in
      let value = label.value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
      return "\(label.name)=\"\(value)\""
    }.joined(separator: ",")
  }
}
