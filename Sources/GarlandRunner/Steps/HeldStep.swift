import GarlandDiagnostics
import GarlandTransfer
import GarlandPlanner

/// Why a step that has begun neither transfers nor waits for a slot.
enum HeldStep {
  /// It waits for the diagnosis of its host.
  case parked
  /// Its own failure is being looked into.
  case diagnosed(NetworkingError, afterthought: String?)
  /// It waits for this machine's network.
  case offline(Task<Void, Never>)
  /// It probes its `reach` target.
  case reaching(Task<Void, Never>)
  /// It waits for a request.
  case listening

  func cancel() {
    switch self {
    case .parked, .diagnosed, .listening: break
    case .offline(let task), .reaching(let task): task.cancel()
    }
  }
}

extension PlannedStep {
  /// The place of its URL.
  var place: SourceRange { step.request?.url.range ?? step.idRange }
}
