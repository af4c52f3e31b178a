import GarlandWorkflow

/// Properties of a step's expectations, such as whether one of them is about the status. The properties are needed for every request of the
/// step, so they are computed only once for each step.
struct StepTraits: OptionSet, Sendable {
  let rawValue: UInt16

  /// The properties have been computed; without this flag, the other flags are meaningless.
  static let isKnown = StepTraits(rawValue: 1 << 0)
  /// The step expects that the transfer fails with an error; see ``Step/expectsError``.
  static let expectsError = StepTraits(rawValue: 1 << 1)
  /// The step has an expectation for the TLS connection or the server's certificate.
  static let looksAtTLS = StepTraits(rawValue: 1 << 2)
  /// The step has an expectation about the status.
  static let saysStatus = StepTraits(rawValue: 1 << 3)
  /// The step has an expectation about the media type.
  static let saysType = StepTraits(rawValue: 1 << 4)
  /// The step may expect a status that is a redirect, such as 302, so the redirect must not be followed.
  static let mayExpectRedirect = StepTraits(rawValue: 1 << 5)
  /// Checking the response may take long, even if the response is small.
  static let isHeavy = StepTraits(rawValue: 1 << 6)
  /// A check or another step reads the body.
  static let needsBody = StepTraits(rawValue: 1 << 7)

  /// A GraphQL response with `errors` is a failure; see ``Step/graphQL``.
  static let refusesErrors = StepTraits(rawValue: 1 << 8)

  /// The values that expectations compare are recorded, because a report shows them.
  static let keepsFound = StepTraits(rawValue: 1 << 9)

  init(rawValue: UInt16) { self.rawValue = rawValue }

  /// Returns whether two steps certainly have the same traits, because they share their expectations and all other settings that affect the
  /// traits. If the result is false, the traits may still be the same.
  static func areSame(_ one: Step, _ other: Step) -> Bool {
    one.extractions.isEmpty && other.extractions.isEmpty && one.expectations.areIdentical(to: other.expectations)
      && one.neededByItself == other.neededByItself && one.neededByOthers == other.neededByOthers
      && one.flow.repetition === other.flow.repetition && one.graphQL == nil && other.graphQL == nil
  }

  init(of step: Step) {
    var traits: StepTraits = .isKnown
    // The condition of a poll is an expectation as well.
    for expectation in step.judged {
      switch expectation.check {
      case .status(let patterns):
        traits.insert(.saysStatus)
        if patterns.contains(where: { $0.constant?.admitsRedirects ?? true }) { traits.insert(.mayExpectRedirect) }
      case .statusPredicates: traits.formUnion([.saysStatus, .mayExpectRedirect])
      case .type, .typePredicates: traits.insert(.saysType)
      case .error: traits.insert(.expectsError)
      case .tls: traits.insert(.looksAtTLS)
      default: break
      }
    }
    if step.graphQL != nil { traits.insert(.refusesErrors) }
    if HeavyWork.isHeavy(step) { traits.insert(.isHeavy) }
    if step.neededByItself.union(step.neededByOthers).needsBody { traits.insert(.needsBody) }
    self = traits
  }
}

/// A cache of the properties (``StepTraits``) of every step of a plan, by the index of the step. The properties of a step are computed when
/// they are first needed.
struct StepTraitsTable {
  private var known: [StepTraits]
  /// The step whose properties were computed last, and these properties. They are stored, because the next step often has the same
  /// properties.
  private var last: (step: Step, traits: StepTraits)?

  /// The traits that all steps have because of the settings of the run, such as ``StepTraits/keepsFound``.
  private let common: StepTraits

  /// Creates an empty table.
  ///
  /// - Parameters:
  ///   - count: the number of steps.
  ///   - common: the flags that all steps of the run have.
  init(count: Int, common: StepTraits) {
    known = Array(repeating: [], count: count)
    self.common = common
  }

  mutating func traits(of step: Step, at index: Int) -> StepTraits {
    if known[index].contains(.isKnown) { return known[index] }
    let traits: StepTraits
    if let last, StepTraits.areSame(last.step, step) { traits = last.traits } else { traits = StepTraits(of: step).union(common) }
    last = (step, traits)
    known[index] = traits
    return traits
  }
}
