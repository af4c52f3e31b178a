import GarlandResults

extension Scheduler {
  /// An event that the scheduler handles.
  package enum Event: Sendable {
    /// An iteration of a step that has begun needs a slot to send, or, if `again` is true, to send another request.
    case transferWanted(step: Int, iteration: Int, origin: Int, again: Bool = false)
    /// A transfer that had a slot has ended.
    case transferEnded(origin: Int)
    /// A step has begun and waits for something other than a transfer, so that it needs no slot for now.
    case waits(step: Int)
    /// A step, or an item of its loop, waits for a request that other steps may cause. It does not delay these steps.
    case listens(step: Int)
    /// An item of a loop may begin as soon as the resources that the step uses are available.
    case iterationWanted(step: Int, iteration: Int)
    /// An item of a loop that had requested resources has ended.
    case iterationEnded(step: Int)
    /// An item of a loop failed, which counts towards the maximum number of failures.
    case problem(step: Int)
    /// A step has ended and needs nothing more.
    case ended(step: Int, Ending)
    /// The last step that uses a step's values has ended, and the values were released.
    case released(bytes: Int)
    /// A step requests one of each of these resources for the document that it calls.
    case loanWanted(step: Int, loan: Int, uses: [Int])
    /// Resources that were lent to a called document are available again.
    case loanReturned(uses: [Int])
    /// The calling run has lent the resources that a step, or an item of its loop, had requested.
    case borrowed(step: Int, iteration: Int?)
    /// No new step may start, except those that always run. With `sparesTransfers`, transfers in progress are completed.
    case stop(StopReason, sparesTransfers: Bool = false)
    /// No step may start any more.
    case abort
    /// The run continues after the action `pause`.
    case proceed
  }

  /// An action that the run must execute.
  package enum Action: Sendable, Hashable {
    /// The step's dependencies have ended.
    case ready(step: Int)
    /// Evaluate the step's `when` and its origin, and request a transfer or end the step.
    case begin(step: Int)
    /// Send the step's request; it has a slot.
    case send(step: Int, iteration: Int, origin: Int)
    /// Begin an item of a loop, which has the resources that it requested.
    case beginIteration(step: Int, iteration: Int)
    /// End the step without beginning it.
    case conclude(step: Int, Conclusion)
    /// Stop a step that is in progress: it must end if it has sent nothing yet, or can't continue within the leeway.
    case halt(step: Int, Leeway)
    /// Request the resources of a step, or of an item of its loop, from the calling run.
    case borrow(step: Int, iteration: Int?)
    /// Return the borrowed resources of a step once.
    case handBack(step: Int)
    /// Lend the requested resources.
    case lend(loan: Int)
    /// No further step starts. Occurs only once, for the first reason.
    case stopped(StopReason)
    /// Execute the earlier actions, let the network handle its events, then send `proceed`. This happens when many events came at once.
    case pause
    /// Every step has ended.
    case finished
  }

  /// How long a step may continue when the run is stopped.
  package enum Leeway: Sendable, Hashable {
    /// Until its end, if it has sent anything.
    case untilEnd
    /// Until the end of the current transfer.
    case untilTransferEnds
    /// Not at all: it must end at once.
    case notAtAll
  }

  /// The end of a step that had begun, as far as it matters to other steps.
  package struct Ending: Sendable, Hashable {
    package var outcome: Outcome
    /// Whether a failure is allowed: it neither blocks steps that only come after this one, nor counts towards the maximum number of
    /// failures.
    package var isFailureAllowed: Bool
    /// Whether the step has left nothing on the server that would need a cleanup.
    package var leavesNothing: Bool
    /// Whether the step is a loop of which only some items passed. Steps that use its values can run with those.
    package var isPartial: Bool
    /// The number of failures that count towards the maximum, in addition to those that were reported by `problem`.
    package var problems: Int
    /// The size of the step's values that are kept for other steps; the event `released` reports it later.
    package var heldBytes: Int

    package init(
      _ outcome: Outcome, isFailureAllowed: Bool = false, leavesNothing: Bool = false, isPartial: Bool = false, problems: Int = 1,
      heldBytes: Int = 0
    ) {
      self.outcome = outcome
      self.isFailureAllowed = isFailureAllowed
      self.leavesNothing = leavesNothing
      self.isPartial = isPartial
      self.problems = problems
      self.heldBytes = heldBytes
    }
  }

  /// The reason why a step ends without having begun.
  package enum Conclusion: Sendable, Hashable {
    /// These dependencies of the step did not pass. `root` is the first step that failed by itself.
    case blocked(by: [Int], root: Int)
    /// The step after which it would clean up has left nothing.
    case nothingToCleanUp(after: Int)
    /// The run was stopped before the step began; nil after an abort.
    case notRun(StopReason?)
  }
}
