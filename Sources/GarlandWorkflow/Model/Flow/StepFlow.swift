public import GarlandDiagnostics

/// The conditions and the order of a step, and the effect of its failure.
public struct StepFlow: Sendable {
  /// The condition of `after:` on a step.
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

  /// The step that a step with `cleanup:` cleans up after.
  public struct Cleanup: Sendable {
    /// The ordinal of the step whose effects are undone.
    public let step: Int
    /// The place of that step's id.
    public let range: SourceRange
  }

  /// `after:`, in document order.
  public let after: [After]
  /// `when:`; without it the step always runs.
  public var when: Setting<Bool>? { rare?.when }
  /// `always:`: whether the step runs even if steps that it depends on have failed.
  public let always: Bool
  /// `cleanup:`.
  public var cleanup: Cleanup? { rare?.cleanup }
  /// `allow_failure:`, or a quarantine: its problems are reported and counted apart.
  public let allowFailure: Bool
  /// The entry of the quarantine list by which its failures do not count; nil without one, or when it is over.
  public var quarantine: QuarantineEntry? { rare?.quarantine }
  /// `for_each:`, `rows:` or `matrix:`.
  public var loop: Loop? { rare?.loop }
  /// `delay:`, `retry:`, `poll:` and `paginate:`.
  public let repetition: Repetition
  /// `uses:`, in the order of ``Workflow/resources``.
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

  /// This flow for a step that only waits: without repetition, resources and exclusiveness, so that it does not delay other steps.
  var unhindered: StepFlow {
    StepFlow(
      after: after, when: when, always: always, cleanup: cleanup, allowFailure: allowFailure, loop: loop, quarantine: quarantine)
  }
}
