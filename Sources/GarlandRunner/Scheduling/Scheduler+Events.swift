import GarlandResults

extension Scheduler {
  /// An event in the run that the scheduler must know.
  package enum Event: Sendable {
    /// An iteration of a step needs a transfer slot for a request. The step has already begun. If `again` is true, the iteration has
    /// already sent a request.
    case transferWanted(step: Int, iteration: Int, origin: Int, again: Bool = false)
    /// A transfer that had a transfer slot has ended.
    case transferEnded(origin: Int)
    /// A step has begun and waits for something other than a transfer, so that it needs no transfer slot for now.
    case waits(step: Int)
    /// A step, or an item of its loop, waits for a request from another program. This request may be caused by other steps. While the step
    /// waits, it needs no slot, so that it does not delay the other steps.
    case listens(step: Int)
    /// An item of a loop is ready to begin. It begins as soon as the resources that the step uses are available.
    case iterationWanted(step: Int, iteration: Int)
    /// An item of a loop has ended, and the resources that the item had received are no longer needed.
    case iterationEnded(step: Int)
    /// An item of a loop failed. The failure counts towards the maximum number of failures.
    case problem(step: Int)
    /// A step has ended, and its slots and resources are no longer needed.
    case ended(step: Int, Ending)
    /// The stored values of a step were released, since the last step that uses them has ended.
    case released(bytes: Int)
    /// A called document requests one unit of each resource in `uses`. `step` is the step that calls the document, and the number `loan`
    /// identifies this request.
    case loanWanted(step: Int, loan: Int, uses: [Int])
    /// A called document has returned the resources that this run had lent to it.
    case loanReturned(uses: [Int])
    /// The calling run has lent the resources that a step, or an item of its loop, had requested.
    case borrowed(step: Int, iteration: Int?)
    /// No new step may start, except those that always run. If `sparesTransfers` is true, transfers in progress are completed.
    case stop(StopReason, sparesTransfers: Bool = false)
    /// The run ends immediately: no step may start any more, not even a cleanup.
    case abort
    /// The pause that the scheduler requested with the action `pause` is over: the engine has handled the waiting network events. The
    /// scheduler may now start further steps.
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
    /// Begin an item of a loop. The item now holds the resources that it requested.
    case beginIteration(step: Int, iteration: Int)
    /// End a step that has not begun, with the given conclusion.
    case conclude(step: Int, Conclusion)
    /// Stop a step that is in progress. The step ends immediately if it has sent nothing yet. Otherwise the step may continue as far as the
    /// associated ``Leeway`` allows.
    case halt(step: Int, Leeway)
    /// Request the resources of a step, or of an item of its loop, from the calling run. This action occurs only in the run of a called
    /// document.
    case borrow(step: Int, iteration: Int?)
    /// Give back the resources that a step has borrowed from the calling run: one unit of each resource.
    case handBack(step: Int)
    /// Give a called document the resources that it has requested. `loan` is the number of this request.
    case lend(loan: Int)
    /// The run is stopped for this reason. From now on, at most cleanups and steps with `always: true` start. This action occurs again only
    /// if a later reason is stricter, such as an interrupt after `--fail-fast`.
    case stopped(StopReason)
    /// Execute the earlier actions, let the engine handle waiting network events (such as responses), and then send the event `proceed`.
    /// The scheduler requests this pause in two cases: the run is stopped, or many steps have begun in a row. In the second case, the pause
    /// lets responses be handled without a long delay.
    case pause
    /// Every step has ended.
    case finished
  }

  /// The point until which a step may continue when the run is stopped.
  package enum Leeway: Sendable, Hashable {
    /// A step that has already sent a request may run to its end.
    case untilEnd
    /// A step may continue until the end of its current transfer.
    case untilTransferEnds
    /// A step must end immediately, even during a transfer.
    case notAtAll
  }

  /// The result of a step that has begun and ended. It contains only the properties that the scheduler needs.
  package struct Ending: Sendable, Hashable {
    package var outcome: Outcome
    /// Whether a failure of the step is allowed. An allowed failure blocks only dependent steps that need a value of this step, and does
    /// not count towards the maximum number of failures.
    package var isFailureAllowed: Bool
    /// Whether a cleanup of the step would have nothing to remove from the server.
    package var leavesNothing: Bool
    /// Whether the step is a loop in which only some items passed. Steps that use its values can run with the values of these items.
    package var isPartial: Bool
    /// The number of failures of the step that count towards the run's maximum number of failures, without the failures that the event
    /// `problem` has already reported.
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
    /// Some dependencies of the step did not pass; `by` contains their indexes. `root` is the index of the failed step at the beginning of
    /// the chain of blocked steps.
    case blocked(by: [Int], root: Int)
    /// The step is a cleanup that has nothing to do: the step that it cleans up, with the index `after`, has left nothing on the server.
    case nothingToCleanUp(after: Int)
    /// The step did not begin, because the run was stopped or aborted. The value is the reason for the stop; nil if the run was aborted
    /// without being stopped first.
    case notRun(StopReason?)
  }
}
