import GarlandDiagnostics
import GarlandYAML

/// Decoded expectations that all steps with the same text in `expect` share. Their source ranges are those of the first of these steps.
final class SharedExpectations: Sendable {
  /// The expectations, grouped by their key in `expect`.
  let groups: [(key: ExpectKey, expectations: [Expectation])]
  let all: [Expectation]
  /// The parts of the response that the expectations use.
  let needs: ResponseNeeds
  /// The offset in the document at which the text of these expectations begins. If several steps contain the same text, this is the offset
  /// of its first occurrence.
  let start: Int

  init(_ groups: [(key: ExpectKey, expectations: [Expectation])], start: Int) {
    self.groups = groups
    all = groups.flatMap(\.expectations)
    needs = all.reduce(into: []) { $0.formUnion($1.check.needs) }
    self.start = start
  }
}

/// A cache of decoded expectations. It helps because thousands of steps in a large suite have the same text in `expect`.
struct ExpectationMemo {
  private static let size = 64
  /// The cached expectations, each at the index that the hash of its text determines. The array is empty until the first expectations are
  /// stored.
  private var slots: [(fingerprint: YAMLFingerprint, expectations: SharedExpectations)?] = []

  subscript(fingerprint: YAMLFingerprint) -> SharedExpectations? {
    guard !slots.isEmpty, let known = slots[Int(fingerprint.hash) % Self.size], known.fingerprint.isSame(as: fingerprint) else {
      return nil
    }
    return known.expectations
  }

  mutating func keep(_ expectations: SharedExpectations, at fingerprint: YAMLFingerprint) {
    if slots.isEmpty { slots = Array(repeating: nil, count: Self.size) }
    slots[Int(fingerprint.hash) % Self.size] = (fingerprint, expectations)
  }
}

extension DocumentDecoder {
  /// Decodes the expectations of a step or of the defaults. Constant expectations with the same text are decoded once, and all steps share
  /// them.
  func expectations(
    _ node: YAMLNode, _ scope: ExpressionScope, isDefault: Bool
  ) -> (groups: [(key: ExpectKey, expectations: [Expectation])], shared: SharedExpectations?) {
    // An expression can have another meaning in another step.
    guard !isDefault, options.ablation == nil, !node.hasExpression, let fingerprint = node.fingerprint else {
      return (decodeExpectations(node, scope, isDefault: isDefault), nil)
    }
    if let known = cache.expectations[fingerprint] { return (known.groups, known) }
    let reported = diagnostics.all.count
    let groups = decodeExpectations(node, scope, isDefault: false)
    guard diagnostics.all.count == reported, emptyExpectations.isEmpty,
      groups.allSatisfy({ $0.expectations.allSatisfy(\.isConstant) })
    else { return (groups, nil) }
    let shared = SharedExpectations(groups, start: fingerprint.offsets.lowerBound)
    cache.expectations.keep(shared, at: fingerprint)
    return (groups, shared)
  }
}

extension Expectation {
  /// Whether the expectation is of a kind that contains neither expressions nor file names, so that several steps can share it.
  fileprivate var isConstant: Bool {
    switch check {
    case .status, .type: true
    case .statusPredicates(let predicates), .typePredicates(let predicates), .header(_, let predicates), .cookie(_, let predicates),
      .json(_, let predicates), .body(let predicates), .time(let predicates), .size(let predicates), .redirects(let predicates),
      .url(let predicates), .version(let predicates), .cookieFact(_, _, let predicates), .plist(_, let predicates),
      .firstBytesPredicates(let predicates):
      predicates.allSatisfy(\.isConstant)
    case .firstBytes: true
    case .items, .timeToFirstItem, .item, .xpath, .schema, .sha256, .tls, .snapshot, .method, .query, .named, .error, .that: false
    }
  }
}

extension Predicate {
  fileprivate var isConstant: Bool {
    switch kind {
    case .eq, .ne, .gt, .gte, .lt, .lte, .in, .contains, .startsWith, .endsWith, .matches, .type, .empty, .exists, .subset, .date: true
    case .length(let inner), .each(let inner), .any(let inner), .none(let inner), .not(let inner): inner.allSatisfy(\.isConstant)
    case .json(let selected): selected.allSatisfy { $0.predicates.allSatisfy(\.isConstant) }
    case .schema: false
    }
  }
}
