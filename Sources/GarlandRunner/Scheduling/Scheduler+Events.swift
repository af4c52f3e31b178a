import GarlandResults

extension Scheduler {
  /// An event in the run that the scheduler must know.
  package enum Event: Sendable {
    /// An iteration of a step that has begun needs a transfer slot for a request. If `again` is true, it is not the first request of the
    /// iteration.
    case transferWanted(step: Int, iteration: Int, origin: Int, again: Bool = false)
    /// A transfer that had a transfer slot has ended.
    case transferEnded(origin: Int)
    /// A step has begun and waits for something other than a transfer, so that it needs no transfer slot for now.
    case waits(step: Int)
    /// A step, or an item of its loop, waits for a request from another program. Other steps may cause this request. The waiting step needs
    /// no slot and does not delay these steps.
    case listens(step: Int)
    /// An item of a loop may begin as soon as the resources that the step uses are available.
    case iterationWanted(step: Int, iteration: Int)
    /// An item of a loop has ended, and the resources that the item had received are no longer needed.
    case iterationEnded(step: Int)
    /// An item of a loop failed, which counts towards the maximum number of failures.
    case problem(step: Int)
    /// A step has ended, and its slots and resources are no longer needed.
    case ended(step: Int, Ending)
    /// The stored values of a step were released, since the last step that uses them has ended.
    case released(bytes: Int)
    /// A step requests a unit of each resource in `uses` for the document that it calls. `loan` is the number of this request.
    case loanWanted(step: Int, loan: Int, uses: [Int])
    /// Resources that were lent to a called document are available again.
    case loanReturned(uses: [Int])
    /// The calling run has lent the resources that a step, or an item of its loop, had requested.
    case borrowed(step: Int, iteration: Int?)
    /// No new step may start, except those that always run. With `sparesTransfers`, transfers in progress are completed.
    case stop(StopReason, sparesTransfers: Bool = false)
    /// The run ends immediately: no step may start any more, not even a cleanup.
    case abort
    /// The run has executed the action `pause`, so the scheduler may start further steps.
    case proceed
  }

  /// An action that the run must execute.
  package enum Action: Sendable, Hashable {
    /// The step's dependencies have ended, so it waits for a slot. The run reports this to the observers.
    case ready(step: Int)
    /// Begin the step: evaluate its `when` and find the origin of its request, and then request a slot for the transfer or end the step.
    case begin(step: Int)
    /// Send the step's request, for which it holds a transfer slot.
    case send(step: Int, iteration: Int, origin: Int)
    /// Begin an item of a loop, which now holds the resources that it requested.
    case beginIteration(step: Int, iteration: Int)
    /// End a step that has not begun, with the given conclusion.
    case conclude(step: Int, Conclusion)
    /// Stop a step that is in progress. The step must end immediately if it has sent nothing yet, or if it would continue longer than the
    /// leeway allows.
    case halt(step: Int, Leeway)
    /// Request the resources of a step, or of an item of its loop, from the calling run. This action occurs only in the run of a called
    /// document.
    case borrow(step: Int, iteration: Int?)
    /// Give back the resources that a step has borrowed from the calling run: one unit of each resource.
    case handBack(step: Int)
    /// Give a called document the resources that it has requested. `loan` is the number of this request.
    case lend(loan: Int)
    /// No further step starts. This action occurs only once, with the first reason.
    case stopped(StopReason)
    /// Execute the earlier actions, let the network handle its events, and then send the event `proceed`. This action occurs when the run
    /// is stopped, and after many steps have begun in a row, so that the handling of responses is not delayed.
    case pause
    /// Every step has ended.
    case finished
  }

  /// The point until which a step may continue when the run is stopped.
  package enum Leeway: Sendable, Hashable {
    /// A step that has sent a request may continue until its end.
    case untilEnd
    /// A step may continue until the end of its current transfer.
    case untilTransferEnds
    /// A step must end immediately.
    case notAtAll
  }

  /// The result of a step that has begun and ended, as far as the scheduler needs it.
  package struct Ending: Sendable, Hashable {
    package var outcome: Outcome
    /// Whether a failure of the step is allowed. Such a failure does not block steps that only run after this step, and does not count
    /// towards the maximum number of failures.
    package var isFailureAllowed: Bool
    /// Whether the step has left nothing on the server that would need a cleanup.
    package var leavesNothing: Bool
    /// Whether the step is a loop in which only some items passed. Steps that use its values can run with the values of these items.
    package var isPartial: Bool
    /// The number of the step's failures that count towards the maximum number of failures of the run. Failures that the event `problem`
    /// has already reported are not included.
    package var problems: Int
    /// The size of the step's values that are kept for other steps; the event `released` reports this size later.
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
    /// Some dependencies of the step did not pass. `root` is the failed step that explains this: for a chain of blocked steps, the step at
    /// its beginning.
    case blocked(by: [Int], root: Int)
    /// The step is a cleanup, and the step that it cleans up after has left nothing on the server.
    case nothingToCleanUp(after: Int)
    /// The run was stopped before the step began. The reason is nil after an abort.
    case notRun(StopReason?)
  }
}
