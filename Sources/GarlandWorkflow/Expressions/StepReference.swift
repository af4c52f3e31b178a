public import GarlandDiagnostics

/// A place in a step that names another step: `${create.id}`.
public struct StepReference: Sendable {
  /// The part of the other step that is named.
  public enum Member: Sendable, Hashable {
    /// An index of its ``Step/extractions``.
    case extract(Int)
    /// A part of its response.
    case response(ResponseMember)
    /// The URL at which it listens, which is known before it has begun: no reason to wait for it.
    case address
  }

  /// The part of the document that holds the reference.
  public struct Place: Sendable, Hashable {
    /// The key of the reference, such as `json`, `headers.Authorization` or, for one that comes
    /// from the defaults, `defaults.bearer`.
    public let key: String
    /// Whether the defaults said it, not the step.
    public let isDefault: Bool

    init(key: String, isDefault: Bool) {
      self.key = key
      self.isDefault = isDefault
    }
  }

  // A large document has hundreds of thousands of references: most are an expression that exists
  // anyway, and whose key is one of a few words.
  private enum Storage: Sendable {
    case expression(Expression, Int32)
    case stated(Shared<ExpressionStepUse>)
  }

  private let storage: Storage
  private let sharedPlace: Shared<Place>

  /// A step that an expression names, by its place among them.
  init(_ expression: Expression, _ position: Int, at place: Shared<Place>) {
    storage = .expression(expression, Int32(clamping: position))
    sharedPlace = place
  }

  /// A step that is named in another way.
  init(_ use: ExpressionStepUse, at place: Shared<Place>) {
    storage = .stated(Shared(use))
    sharedPlace = place
  }

  private var use: ExpressionStepUse {
    switch storage {
    case .expression(let expression, let position): expression.step(at: Int(position))
    case .stated(let use): use.value
    }
  }

  /// The index of an extract and the step it is of, if the expression is nothing else: that is known without its text.
  private var extract: (index: Int, step: Int)? {
    if case .expression(let expression, _) = storage { expression.extract } else { nil }
  }

  /// The ordinal of the step that is named.
  public var target: Int { extract?.step ?? use.target }
  /// The named member.
  public var member: Member { extract.map { .extract($0.index) } ?? use.storedMember.member }
  /// Its name as written: `id`, `status`.
  public var name: String { use.name }
  /// The place of the reference: `create.id`.
  public var range: SourceRange { use.range }
  /// Whether a `??` gives another value when there is none.
  public var isOptional: Bool { extract == nil && use.isOptional }
  /// The key of the reference.
  public var place: Place { sharedPlace.value }
  /// Tells places from each other: references in the same key share theirs.
  var placeID: ObjectIdentifier { ObjectIdentifier(sharedPlace) }

  /// The parts that make it an edge of the plan: the step that is named, whether only its URL is
  /// used, and whether `??` gives another value.
  package var edge: (target: Int, isAddress: Bool, isOptional: Bool) {
    if let extract { return (extract.step, false, false) }
    let use = use
    return (use.target, use.storedMember.isAddress, use.isOptional)
  }

  /// A member in four bytes: the index of an extract, or, below zero, that of a part of the response, or, lowest of all, the address.
  struct StoredMember: Sendable {
    private static let address = Int32.min
    private let code: Int32

    init(_ member: Member) {
      switch member {
      case .extract(let index): code = Int32(clamping: index)
      case .response(let part): code = -1 - Int32(clamping: ResponseMember.allCases.firstIndex(of: part) ?? 0)
      case .address: code = Self.address
      }
    }

    var isAddress: Bool { code == Self.address }

    var member: Member {
      if code == Self.address { return .address }
      return code >= 0 ? .extract(Int(code)) : .response(ResponseMember.allCases[Int(-1 - code)])
    }
  }
}
