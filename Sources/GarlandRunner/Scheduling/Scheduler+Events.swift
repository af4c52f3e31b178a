import GarlandResults

extension Scheduler {
  /// An event.
  package enum Event: Sendable {
    /// An iteration of a step that has begun wants to send, or, having sent something, to send again.
    case transferWanted(step: Int, iteration: Int, origin: Int, again: Bool = false)
    /// A transfer is over, for which a slot was given.
    case transferEnded(origin: Int)
    /// A step has begun and waits for something that is no transfer, so that it needs no slot for now.
    case waits(step: Int)
    /// A step, or an item of its loop, waits for a request that other steps may bring about: it keeps none of them from running.
    case listens(step: Int)
    /// An item of a loop may begin as soon as the resources that the step uses are there.
    case iterationWanted(step: Int, iteration: Int)
    /// An item of a loop that had asked for resources has ended.
    case iterationEnded(step: Int)
    /// An item of a loop went wrong, which counts towards the end of the run.
    case problem(step: Int)
    /// A step has ended and wants nothing more.
    case ended(step: Int, Ending)
    /// The last of those that use a step's values has ended, and they were let go of.
    case released(bytes: Int)
    /// A step requests one of each of these resources, on behalf of the document that it calls.
    case loanWanted(step: Int, loan: Int, uses: [Int])
    /// Borrowed resources are free again.
    case loanReturned(uses: [Int])
    /// The run that called this one has lent the resources that a step, or an item of its loop, had
    /// requested.
    case borrowed(step: Int, iteration: Int?)
    /// No new step may start, except those that always run. With `sparesTransfers`, every transfer
    /// under way is completed.
    case stop(StopReason, sparesTransfers: Bool = false)
    /// No step may start any more.
    case abort
    /// The answer to `pause`.
    case proceed
  }

  /// An action.
  package enum Action: Sendable, Hashable {
    /// Its dependencies are done.
    case ready(step: Int)
    /// Evaluate its `when`, find its origin and ask for a transfer, or end it.
    case begin(step: Int)
    /// The step has a slot, and is sent.
    case send(step: Int, iteration: Int, origin: Int)
    /// An item of a loop has the resources it asked for.
    case beginIteration(step: Int, iteration: Int)
    /// The step ends without having begun.
    case conclude(step: Int, Conclusion)
    /// The step is under way when the run is stopped: it ends if it has sent nothing yet, or can't
    /// continue within its leeway.
    case halt(step: Int, Leeway)
    /// Ask the run that called this one for the resources that a step, or an item of its loop, uses.
    case borrow(step: Int, iteration: Int?)
    /// Give them back, once.
    case handBack(step: Int)
    /// The requested resources are lent.
    case lend(loan: Int)
    /// No further step starts. Occurs once, for the first reason.
    case stopped(StopReason)
    /// Carry out the earlier actions, let the network have its turn, then send `proceed`: many
    /// events came at once.
    case pause
    /// Every step has ended.
    case finished
  }

  /// How far a step may continue when the run is stopped.
  package enum Leeway: Sendable, Hashable {
    /// To its end, if it has sent anything.
    case untilEnd
    /// To the end of the transfer that is under way.
    case untilTransferEnds
    /// It must end at once.
    case notAtAll
  }

  /// The end of a step that had begun, as far as other steps need it.
  package struct Ending: Sendable, Hashable {
    package var outcome: Outcome
    /// Whether a problem is allowed: it neither blocks those that only follow nor counts towards the end of the run.
    package var isFailureAllowed: Bool
    /// Whether the server holds nothing because of it.
    package var leavesNothing: Bool
    /// Whether it is a loop of which some items passed: steps that use their values can run with
    /// those.
    package var isPartial: Bool
    /// The problems that count towards the end of the run, beside those reported before.
    package var problems: Int
    /// The weight of its values that are kept for other steps; it comes back as `released`.
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

  /// Why a step ends without having begun.
  package enum Conclusion: Sendable, Hashable {
    /// These steps, which it needs, did not pass. `root` is the first whose own fault it was.
    case blocked(by: [Int], root: Int)
    /// The step that it would clean up after left nothing.
    case nothingToCleanUp(after: Int)
    /// The run was stopped before its turn. Nil after an abort.
    case notRun(StopReason?)
  }
}
