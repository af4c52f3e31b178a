import GarlandDiagnostics
import GarlandTransfer
import GarlandPlanner

/// The reason why a step that has begun is paused, such as a probe of its host. A step that is in a transfer, or waits for a transfer slot,
/// is not paused.
enum HeldStep {
  /// The step waits for the result of a probe of its host. The probe began because a request of another step had failed.
  case parked
  /// The step failed, and waits until a probe of its host has found the cause. `afterthought` is a text that is added to the message of the
  /// failure: the reason why the request is not retried again.
  case diagnosed(NetworkingError, afterthought: String?)
  /// This machine has no network connection. The task waits for a connection.
  case offline(Task<Void, Never>)
  /// The task does the work of a step that sends no request: it probes the target of a `reach` step.
  case working(Task<Void, Never>)
  /// A listening step has not received its request yet.
  case listening

  func cancel() {
    switch self {
    case .parked, .diagnosed, .listening: break
    case .offline(let task), .working(let task): task.cancel()
    }
  }
}

extension PlannedStep {
  /// The source range of the step's URL; if the step has no URL, the source range of its id.
  var place: SourceRange { step.request?.url.range ?? step.idRange }
}
