import GarlandResults

extension Scheduler {
  /// What happened.
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
    /// A step asks, on behalf of the document that it calls, for one of each of these resources.
    case loanWanted(step: Int, loan: Int, uses: [Int])
    /// What was lent is no longer used.
    case loanReturned(uses: [Int])
    /// The run that called this one has lent what a step, or an item of its loop, had asked for.
    case borrowed(step: Int, iteration: Int?)
    /// Nothing new may start, but for what runs always. With `sparesTransfers` every transfer that is under way comes to its end.
    case stop(StopReason, sparesTransfers: Bool = false)
    /// Nothing may start any more.
    case abort
    /// The answer to `pause`.
    case proceed
  }

  /// What to do.
  package enum Action: Sendable, Hashable {
    /// Its dependencies are done.
    case ready(step: Int)
    /// Evaluate its `when`, find its origin and ask for a transfer, or end it.
    case begin(step: Int)
    /// It has a slot: send.
    case send(step: Int, iteration: Int, origin: Int)
    /// An item of a loop has the resources it asked for.
    case beginIteration(step: Int, iteration: Int)
    /// It ends without having begun.
    case conclude(step: Int, Conclusion)
    /// It is under way when the run is stopped: end it if it has sent nothing yet, or can't go on within its leeway.
    case halt(step: Int, Leeway)
    /// Ask the run that called this one for the resources that a step, or an item of its loop, uses.
    case borrow(step: Int, iteration: Int?)
    /// Give them back, once.
    case handBack(step: Int)
    /// Lend what was asked for.
    case lend(loan: Int)
    /// From now on nothing new starts. Comes once, for the first reason.
    case stopped(StopReason)
    /// Do what was said before, let the network have its turn, then say `proceed`: much happened at once.
    case pause
    /// Every step has ended.
    case finished
  }

  /// How far a step may still go when the run is stopped.
  package enum Leeway: Sendable, Hashable {
    /// To its end, if it has sent anything.
    case untilEnd
    /// To the end of the transfer that is under way.
    case untilTransferEnds
    /// No further.
    case notAtAll
  }

  /// How a step that had begun ended, as far as others care.
  package struct Ending: Sendable, Hashable {
    package var outcome: Outcome
    /// Whether a problem is allowed: it neither blocks those that only follow nor counts towards the end of the run.
    package var isFailureAllowed: Bool
    /// Whether the server holds nothing because of it.
    package var leavesNothing: Bool
    /// Whether it is a loop of which some items passed: what uses their values can run with those.
    package var isPartial: Bool
    /// How many problems count towards the end of the run, beside those told before.
    package var problems: Int
    /// How much is kept of it for those that use its values; it comes back as `released`.
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
