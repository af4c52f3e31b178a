public import GarlandDiagnostics

/// The settings that determine when and how often a step runs, and how a failure of the step affects the run.
public struct StepFlow: Sendable {
  /// The outcome that an entry of `after:` requires of the step that it names.
  public enum Condition: String, Sendable, Hashable, CaseIterable {
    /// The step that is named under `after:` must have passed.
    case passed
    /// The named step must have ended, with any outcome.
    case ended
  }

  /// An entry of `after:`: a step that must end before this step runs, and the outcome that it must have.
  public struct After: Sendable {
    /// The ordinal (index in the document) of the step that this entry of `after:` names.
    public let step: Int
    /// The outcome that the named step must have.
    public let condition: Condition
    /// The source range of the named step's id.
    public let range: SourceRange
  }

  /// The value of `cleanup:`: the step after which this step cleans up, for example by deleting what that step has created.
  public struct Cleanup: Sendable {
    /// The ordinal (index in the document) of the named step.
    public let step: Int
    /// The source range of the id under `cleanup:`. The id names the step after which this step cleans up.
    public let range: SourceRange
  }

  /// The steps that must end before this step runs, from the key `after:`, in document order.
  public let after: [After]
  /// The condition for running the step, from the key `when:`. If nil, the step has no condition.
  public var when: Setting<Bool>? { rare?.when }
  /// Whether the step runs even if steps that it depends on have failed, from the key `always:`.
  public let always: Bool
  /// The step after which this step cleans up, from the key `cleanup:`; nil if this step is not a cleanup.
  public var cleanup: Cleanup? { rare?.cleanup }
  /// Whether failures of the step are counted separately and do not fail the run, because of `allow_failure:` or a quarantine.
  public let allowFailure: Bool
  /// The entry of the list of quarantined steps that applies to this step. While an entry applies, failures of the step do not fail the
  /// run. Nil if there is no entry, or if the entry has expired.
  public var quarantine: QuarantineEntry? { rare?.quarantine }
  /// The loop of the step, from the key `for_each:`, `rows:` or `matrix:`; nil if the step has no loop.
  public var loop: Loop? { rare?.loop }
  /// The settings of the keys `delay:`, `retry:`, `poll:` and `paginate:`.
  public let repetition: Repetition
  /// The resources that the step uses, from the key `uses:`, in the order of ``Workflow/resources``.
  public let uses: [ResourceUse]
  /// Whether the step must run alone, without any other step at the same time, from the key `exclusive:`.
  public let exclusive: Bool
  private let rare: Rare?

  /// The settings that few steps have. They are stored separately, so that they take no space in steps without these settings.
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

  /// Returns a copy of these settings for a step that only waits, such as a listening step. Repetition, resources and `exclusive` are
  /// removed from the copy, so that the step does not delay other steps.
  var unhindered: StepFlow {
    StepFlow(
      after: after, when: when, always: always, cleanup: cleanup, allowFailure: allowFailure, loop: loop, quarantine: quarantine)
  }
}

/// A quarantined step. Until a certain date, its failures do not count.
public struct QuarantineEntry: Sendable {
  /// The absolute path of the quarantined step's document, with symbolic links resolved.
  let path: String
  /// The path of the document as written in the list of quarantined steps.
  let document: String
  /// The id of the step.
  let step: Located<String>
  /// The reason why the step's failures do not count.
  public let reason: String
  /// The last day on which the step's failures do not affect the exit status.
  public let until: CalendarDay
  /// The source range of the date ``until``.
  let untilRange: SourceRange

  /// Returns whether the quarantine is in effect on the given day, so that failures of the step do not count.
  ///
  /// - Parameter today: the day; if nil, every quarantine is in effect.
  func holds(on today: CalendarDay?) -> Bool { today.map { $0 <= until } ?? true }
}

/// The settings that make a step send its request repeatedly or with a delay. Steps without such settings share ``none``.
public final class Repetition: Sendable {
  /// The pause before the first request, from the key `delay:`.
  public let delay: Setting<Duration>?
  /// The settings for retries, from the key `retry:`.
  public let retry: RetrySettings?
  /// The settings for polling, from the key `poll:`.
  public let poll: PollSettings?
  /// The settings for pagination, from the key `paginate:`.
  public let pagination: Pagination?

  init(delay: Setting<Duration>? = nil, retry: RetrySettings? = nil, poll: PollSettings? = nil, pagination: Pagination? = nil) {
    self.delay = delay
    self.retry = retry
    self.poll = poll
    self.pagination = pagination
  }

  /// The settings of a step that sends its request once and without delay.
  public static let none = Repetition()
}
