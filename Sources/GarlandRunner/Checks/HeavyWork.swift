import GarlandWorkflow

/// Decides which work must not run on the engine's thread, because it would delay every transfer.
enum HeavyWork {
  /// The size in bytes above which parsing a body takes more than about a millisecond.
  static let largeBody = 256 << 10

  /// The time limit for work that is expected to be short and is therefore done on the engine's thread. Work that takes longer is stopped,
  /// and started again on another thread.
  static let patience = Duration.milliseconds(20)
  /// The time limit for checking a response, unless the step has a shorter `timeout` or `deadline`.
  static let longest = Duration.seconds(600)
  /// The time limit for evaluating the values of a request, unless the step has a shorter `timeout` or `deadline`. During the evaluation,
  /// the engine's thread does no other work.
  static let longestBuilding = Duration.seconds(30)
  /// The time for which a check of a response, or an evaluation of values such as outputs, may still continue after the run was stopped.
  static let farewell = Duration.milliseconds(500)

  static func isNeeded(for traits: StepTraits, bodySize: Int) -> Bool {
    traits.contains(.isHeavy) || (bodySize > largeBody && traits.contains(.needsBody))
  }

  /// Returns whether checking even a small response of the step may take long. Examples are checks with patterns, schemas, or the digest of
  /// a file.
  static func isHeavy(_ step: Step) -> Bool {
    step.judged.contains(where: isHeavy) || step.extractions.contains(where: isHeavy)
  }

  private static func isHeavy(_ expectation: Expectation) -> Bool { isHeavy(expectation.check) }

  private static func isHeavy(_ check: Expectation.Check) -> Bool {
    switch check {
    // Loading libxml2 for the first time takes several milliseconds.
    case .schema, .sha256(.file), .xpath, .plist, .snapshot: true
    case .that(let condition):
      if case .template(let template) = condition.content, case .expression(let expression) = template.content {
        expression.isHeavy
      } else {
        false
      }
    case .statusPredicates(let predicates), .typePredicates(let predicates), .header(_, let predicates), .cookie(_, let predicates),
      .json(_, let predicates), .body(let predicates), .time(let predicates), .size(let predicates), .redirects(let predicates),
      .url(let predicates), .version(let predicates), .tls(_, let predicates), .method(let predicates), .query(_, let predicates),
      .cookieFact(_, _, let predicates), .firstBytesPredicates(let predicates), .items(_, let predicates),
      .timeToFirstItem(_, let predicates), .item(_, let predicates):
      predicates.contains(where: isHeavy)
    case .named(_, let check): isHeavy(check)
    case .status, .type, .sha256(.hex), .firstBytes, .error: false
    }
  }

  private static func isHeavy(_ predicate: Predicate) -> Bool {
    switch predicate.kind {
    case .matches, .schema: true
    case .length(let inner), .each(let inner), .any(let inner), .none(let inner), .not(let inner): inner.contains(where: isHeavy)
    case .json(let selected): selected.contains { $0.predicates.contains(where: isHeavy) }
    default: false
    }
  }

  private static func isHeavy(_ extraction: Extraction) -> Bool {
    if let refinement = extraction.refinement, refinement.pattern != nil || refinement.filters?.isHeavy == true { return true }
    return switch extraction.source {
    case .regex, .urlPattern, .xpath, .plist: true
    default: false
    }
  }
}
