public import GarlandDiagnostics

/// When a step runs, and what its failure means.
public struct StepFlow: Sendable {
  /// What `after:` asks of a step.
  public enum Condition: String, Sendable, Hashable, CaseIterable {
    /// It must have passed.
    case passed
    /// It must have ended, however.
    case ended
  }

  /// One entry of `after:`.
  public struct After: Sendable {
    /// The ordinal of the step to wait for.
    public let step: Int
    /// How it must have ended.
    public let condition: Condition
    /// Where its id stands.
    public let range: SourceRange
  }

  /// The step that a `cleanup:` belongs to.
  public struct Cleanup: Sendable {
    /// The ordinal of the step whose doing is undone.
    public let step: Int
    /// Where its id stands.
    public let range: SourceRange
  }

  /// `after:`, in document order.
  public let after: [After]
  /// `when:`; without it the step always runs.
  public var when: Setting<Bool>? { rare?.when }
  /// `always:`: runs once all that it depends on has ended, however.
  public let always: Bool
  /// `cleanup:`.
  public var cleanup: Cleanup? { rare?.cleanup }
  /// `allow_failure:`: its problems are reported and counted apart.
  public let allowFailure: Bool
  /// `for_each:`, `rows:` or `matrix:`.
  public var loop: Loop? { rare?.loop }
  /// `delay:`, `retry:`, `poll:` and `paginate:`.
  public let repetition: Repetition
  /// `uses:`, in the order of ``Workflow/resources``.
  public let uses: [ResourceUse]
  /// `exclusive:`: nothing else runs while it does.
  public let exclusive: Bool
  private let rare: Rare?

  /// What few steps have: it takes no room in the others.
  private final class Rare: Sendable {
    let when: Setting<Bool>?
    let cleanup: Cleanup?
    let loop: Loop?

    init(when: Setting<Bool>?, cleanup: Cleanup?, loop: Loop?) {
      self.when = when
      self.cleanup = cleanup
      self.loop = loop
    }
  }

  init(
    after: [After] = [], when: Setting<Bool>? = nil, always: Bool = false, cleanup: Cleanup? = nil, allowFailure: Bool = false,
    loop: Loop? = nil, repetition: Repetition = .none, uses: [ResourceUse] = [], exclusive: Bool = false
  ) {
    self.after = after
    self.always = always
    self.allowFailure = allowFailure
    self.repetition = repetition
    self.uses = uses
    self.exclusive = exclusive
    rare = when == nil && cleanup == nil && loop == nil ? nil : Rare(when: when, cleanup: cleanup, loop: loop)
  }

  /// The same of a step that only waits: it sends nothing again, and keeps nobody from anything.
  var unhindered: StepFlow {
    StepFlow(after: after, when: when, always: always, cleanup: cleanup, allowFailure: allowFailure, loop: loop)
  }
}
