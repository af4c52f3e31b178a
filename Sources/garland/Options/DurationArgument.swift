import ArgumentParser
import GarlandWorkflow

/// A duration as the language writes it: `250ms`, `10s`, `5m`, `1h`.
struct DurationArgument: ExpressibleByArgument {
  let duration: Duration

  init(_ duration: Duration) { self.duration = duration }

  init?(argument: String) {
    guard let duration = Duration(workflowText: argument) else { return nil }
    self.duration = duration
  }
}
