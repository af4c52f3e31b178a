import GarlandDiagnostics
import GarlandJSON
import GarlandTransfer
import GarlandReports

/// Writes the results of probes as text for people, or as JSON for programs.
enum ProbeTable {
  private static let header = ["", "target", "way", "DNS", "TCP", "TLS", "HTTP"]

  /// Returns a line for each path to each target: over IPv4, IPv6, a Unix socket or a proxy. The line contains the durations of the path's
  /// phases, and the problem if a phase failed.
  static func text(_ reports: [ProbeReport]) -> StyledText {
    var rows: [(cells: [StyledText], note: StyledText)] = [(header.map { StyledText($0, .dim) }, StyledText())]
    for report in reports { rows += lines(of: report) }
    let columns = header.indices.filter { column in
      column < 3 || rows.dropFirst().contains { !$0.cells[column].isEmpty }
    }
    let widths = columns.map { column in rows.map { DisplayWidth.of($0.cells[column].plain) }.max() ?? 0 }
    var text = StyledText()
    for row in rows {
      // The last cell of a row is not padded.
      let cells = columns.map { row.cells[$0] } + [row.note]
      let last = cells.lastIndex { !$0.isEmpty } ?? 0
      for (index, cell) in cells[...last].enumerated() { text += index < last ? "\(cell.padded(to: widths[index]))  " : cell }
      text += "\n"
    }
    return text
  }

  private static func lines(of report: ProbeReport) -> [(cells: [StyledText], note: StyledText)] {
    let target = StyledText(DisplayText.visible(report.target.description), .url)
    let lookup = report.lookup.flatMap { lookup -> StyledText? in
      guard case .success = lookup.outcome, lookup.source != .literal, lookup.source != .given else { return nil }
      return StyledText(milliseconds(lookup.duration))
    }
    guard !report.paths.isEmpty else {
      let words = report.failure.map { StyledText(DisplayText.visible($0.description)) } ?? StyledText()
      return [([mark(false), target, "", "", "", "", ""], words)]
    }
    return report.paths.enumerated().map { index, path in
      var answer = StyledText()
      if let status = path.status { answer = "\(status)\(path.answer.map { " in " + milliseconds($0) } ?? "", .dim)" }
      let cells: [StyledText] = [
        mark(path.failure == nil), index == 0 ? target : StyledText(),
        StyledText("\(path.kind.description) \(DisplayText.visible(path.address))" as String),
        index == 0 ? lookup ?? StyledText() : StyledText(), time(path.connect), time(path.secure), answer,
      ]
      return (cells, path.failure.map { StyledText(DisplayText.visible($0.description)) } ?? StyledText())
    }
  }

  private static func mark(_ isUp: Bool) -> StyledText { isUp ? StyledText("up", .success) : StyledText("down", .failure) }

  private static func time(_ duration: Duration?) -> StyledText { duration.map { StyledText(milliseconds($0)) } ?? StyledText() }

  private static func milliseconds(_ duration: Duration) -> String { Readable.duration(duration) }

  /// Returns the report about a target as an object. The object contains, among other values:
  ///
  /// - whether the target is reachable;
  /// - the addresses of the target's host;
  /// - each path to the target (over IPv4, IPv6, a Unix socket or a proxy), with the durations of the path's phases in seconds.
  static func json(_ report: ProbeReport) -> JSONValue {
    var object: JSONObject = [
      "target": .string(report.target.description), "host": .string(report.target.host),
      "port": .number(JSONNumber(report.target.port)), "reachable": .bool(report.isReachable), "summary": .string(report.summary),
      "seconds": seconds(report.duration),
    ]
    if let failure = report.failure { object["error"] = json(failure) }
    if let lookup = report.lookup {
      object["dns"] = .object([
        "seconds": seconds(lookup.duration), "source": .string(lookup.source.description),
        "addresses": .array(lookup.addresses.map { .string($0.description) }),
      ])
    }
    object["ways"] = .array(report.paths.map(json))
    return .object(object)
  }

  private static func json(_ path: ProbePath) -> JSONValue {
    var object: JSONObject = ["way": .string(path.kind.description), "address": .string(path.address)]
    object["tcp_seconds"] = path.connect.map(seconds) ?? .null
    object["tls_seconds"] = path.secure.map(seconds) ?? .null
    object["http_seconds"] = path.answer.map(seconds) ?? .null
    object["status"] = path.status.map { .number(JSONNumber($0)) } ?? .null
    if let failure = path.failure { object["error"] = json(failure) }
    return .object(object)
  }

  private static func json(_ failure: ProbeFailure) -> JSONValue {
    .object(["kind": .string(failure.kind.rawValue), "message": .string(failure.description)])
  }

  private static func seconds(_ duration: Duration) -> JSONValue {
    let microseconds = duration.components.seconds * 1_000_000 + duration.components.attoseconds / 1_000_000_000_000
    let fraction = String(microseconds % 1_000_000)
    let text = "\(microseconds / 1_000_000).\(String(repeating: "0", count: 6 - fraction.utf8.count))\(fraction)"
    return JSONNumber(text).map { .number($0) } ?? .null
  }
}
