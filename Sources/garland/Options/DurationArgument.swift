import ArgumentParser
import GarlandJSON
import GarlandWorkflow

/// A duration in the form of the language: `250ms`, `10s`, `5m`, `1h`.
struct DurationArgument: ExpressibleByArgument {
  let duration: Duration

  init(_ duration: Duration) { self.duration = duration }

  init?(argument: String) {
    guard let duration = Duration(workflowText: argument) else { return nil }
    self.duration = duration
  }

  /// Returns a replacement for a value that the argument parser rejects in the given message. Returns nil if there is no replacement, or if
  /// the message is not about a duration.
  static func suggestion(for message: String) -> String? {
    let parts = message.split(separator: "'", omittingEmptySubsequences: false)
    guard parts.count >= 4, parts[0] == "The value ", parts[2] == " is invalid for ", parts[3].hasSuffix(" <duration>") else { return nil }
    let durations = SettingMistake.durations(.string(String(parts[1])))
    return durations.isEmpty ? nil : "write " + durations.map { "`\($0)`" }.joined(separator: " or ")
  }
}
