import GarlandDiagnostics
import GarlandTransfer
import GarlandPlanner

/// Why a step that has begun neither transfers nor waits for a slot.
enum HeldStep {
  /// It would have been sent, and a failure of another one is being looked into.
  case parked
  /// Its own failure is being looked into.
  case diagnosed(NetworkingError, afterthought: String?)
  /// It waits for this machine's network.
  case offline(Task<Void, Never>)
  /// It looks for its `reach` target.
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

extension Run {
  /// The run is to stop: ends a step that is held, at once where nothing of it is under way, else if what runs is cancelled.
  func haltHeld(_ step: ActiveStep, _ held: HeldStep, cancelling: Bool) {
    switch held {
    case .parked: end(step, Ending(.notRun, reason: stopWords))
    case .diagnosed(let error, let afterthought):
      guard cancelling || isAborted, let request = step.request else { return }
      end(step, ending(of: step, request, error, afterthought))
    case .offline, .reaching, .listening:
      // Of who listens there is nothing to clean up that would have to come to its end first.
      let isListening = if case .listening = held { scheduler.stopReason?.cancelsTransfers == true } else { false }
      guard cancelling || isAborted || isListening else { return }
      if case .deadline? = scheduler.stopReason, !isAborted {
        end(step, Ending(.error, reason: stopWords))
      } else {
        end(step, Ending(.notRun, reason: stopWords + " while it ran"))
      }
    }
  }
}

extension PlannedStep {
  /// Where it is said which host it goes to.
  var place: SourceRange { step.request?.url.range ?? step.idRange }
}
