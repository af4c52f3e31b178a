import GarlandResults
import GarlandWorkflow

/// Checks whether a response can be read item by item, as a stream of events or lines.
enum StreamChecks {
  /// Returns whether the body of a response can be read as the stream that the step expects. The response must have a success status and
  /// the media type of the stream. If the step itself has an expectation about the media type, this function does not compare the type.
  static func isStream(_ format: StreamFormat, status: Int, type: String?, _ traits: StepTraits) -> Bool {
    guard (200...299).contains(status) else { return false }
    // The status 204 means that there are no items.
    guard status != 204, !traits.contains(.saysType), let wanted = format.mediaType else { return true }
    return type.flatMap { MediaTypePattern($0) }.map { "\($0.type)/\($0.subtype)" } == wanted
  }

  /// Returns a failure if a response with a success status was not read as a stream, because its media type is wrong. The list is empty for
  /// any other response. It is also empty if `failures` already contains a failure about the media type.
  static func missing(_ response: some ResponseView, of step: Step, besides failures: [CheckFailure]) -> [CheckFailure] {
    guard let stream = step.request?.stream, let wanted = stream.format.mediaType, (200...299).contains(response.status),
      !failures.contains(where: { $0.subject == "type" })
    else { return [] }
    let type = response.headers(named: "content-type").last
    var failure = CheckFailure(
      .expectation, subject: "type", message: "\(type.map { "is `\(Shown.cut($0, 80))`" } ?? "is missing"), expected `\(wanted)`",
      at: stream.range)
    failure.expected = wanted
    failure.actual = type
    failure.excerpt = Excerpt.beginning(of: response)
    let found = type.map { String($0.prefix { $0 != ";" }) }
    if let right = found.flatMap({ StreamFormat.format(of: $0.lowercased()) }) {
      failure.help = "the body is a stream of \(right.rawValue): write `\(right.key)` in place of `\(stream.format.key)`"
    } else if stream.format != .parts || found?.lowercased().hasPrefix("multipart/") != false {
      // A body of another type has no boundary between parts.
      failure.help = "if the body is a stream of \(stream.format.rawValue) anyway, write `expect: {type: \(found ?? "'*/*'")}`"
    }
    return [failure]
  }
}
