public import GarlandDiagnostics

/// The conditions and the order of a step, and the effect of its failure.
public struct StepFlow: Sendable {
  /// The outcome of the other step that an `after:` entry requires.
  public enum Condition: String, Sendable, Hashable, CaseIterable {
    /// The other step must have passed.
    case passed
    /// The other step must have ended, with any outcome.
    case ended
  }

  /// An entry of `after:`.
  public struct After: Sendable {
    /// The ordinal of the step to wait for.
    public let step: Int
    /// The required outcome of the other step.
    public let condition: Condition
    /// The place of the other step's id.
    public let range: SourceRange
  }

  /// The value of `cleanup:`: the step after which this step cleans up.
  public struct Cleanup: Sendable {
    /// The ordinal of the step after which this step cleans up.
    public let step: Int
    /// The place of the id of the step after which this step cleans up.
    public let range: SourceRange
  }

  /// The steps that this step runs after, in document order: `after:`.
  public let after: [After]
  /// The condition for running the step: `when:`. If nil, the step always runs.
  public var when: Setting<Bool>? { rare?.when }
  /// `always:`: whether the step runs even if steps that it depends on have failed.
  public let always: Bool
  /// The step after which this step cleans up: `cleanup:`.
  public var cleanup: Cleanup? { rare?.cleanup }
  /// Whether failures of the step are counted separately and do not fail the run, because of `allow_failure:` or a quarantine.
  public let allowFailure: Bool
  /// The quarantine during which the step's failures do not count; nil if the step is not quarantined, or if the quarantine is
  /// over.
  public var quarantine: QuarantineEntry? { rare?.quarantine }
  /// The loop of the step: `for_each:`, `rows:` or `matrix:`.
  public var loop: Loop? { rare?.loop }
  /// The settings `delay:`, `retry:`, `poll:` and `paginate:`.
  public let repetition: Repetition
  /// The resources that the step uses, in the order of ``Workflow/resources``: `uses:`.
  public let uses: [ResourceUse]
  /// `exclusive:`: whether no other step may run at the same time.
  public let exclusive: Bool
  private let rare: Rare?

  /// The settings that few steps have. They are stored separately, so that they take no space in the other steps.
  private final class Rare: Sendable {
    let when: Setting<Bool>?
    let cleanup: Cleanup?
    let loop: Loop?
    let quarantine: QuarantineEntry?

    init(when: Setting<Bool>?, cleanup: Cleanup?, loop: Loop?, quarantine: QuarantineEntry?) {
      self.when = when
      self.cleanup = cleanup
      self.loop = loop
      self.quarantine = quarantine
    }
  }

  init(
    after: [After] = [], when: Setting<Bool>? = nil, always: Bool = false, cleanup: Cleanup? = nil, allowFailure: Bool = false,
    loop: Loop? = nil, repetition: Repetition = .none, uses: [ResourceUse] = [], exclusive: Bool = false,
    quarantine: QuarantineEntry? = nil
  ) {
    self.after = after
    self.always = always
    self.allowFailure = allowFailure || quarantine != nil
    self.repetition = repetition
    self.uses = uses
    self.exclusive = exclusive
    let isPlain = when == nil && cleanup == nil && loop == nil && quarantine == nil
    rare = isPlain ? nil : Rare(when: when, cleanup: cleanup, loop: loop, quarantine: quarantine)
  }

  /// Returns this flow for a step that only waits. The flow has no repetition, no resources and no `exclusive`, so that the step
  /// does not delay other steps.
  var unhindered: StepFlow {
    StepFlow(
      after: after, when: when, always: always, cleanup: cleanup, allowFailure: allowFailure, loop: loop, quarantine: quarantine)
  }
}
