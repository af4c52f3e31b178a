public import GarlandDiagnostics

/// A reference from a step to the result of a step, such as `${create.id}`. Most references make the referring step wait for the step to
/// which they refer.
public struct StepReference: Sendable {
  /// The part of the referenced step that is used: an extract, a member of the response, or the URL of a listening step.
  public enum Member: Sendable, Hashable {
    /// An extract, by its index in ``Step/extractions``.
    case extract(Int)
    /// A member of the referenced step's response.
    case response(ResponseMember)
    /// The URL at which the referenced step listens. The URL is known before the referenced step begins, so the step with the reference
    /// does not wait for the referenced step.
    case address
  }

  /// The place of a reference in its step: the key that contains the reference, such as `json`, and whether this key is inherited from the
  /// defaults.
  public struct Place: Sendable, Hashable {
    /// The key that contains the reference, such as `json` or `headers.Authorization`. A reference that is inherited from the defaults has
    /// a key such as `defaults.bearer`.
    public let key: String
    /// Whether the reference is inherited from the defaults, and not written in the step.
    public let isDefault: Bool

    init(key: String, isDefault: Bool) {
      self.key = key
      self.isDefault = isDefault
    }
  }

  // A large document has hundreds of thousands of references. To save memory, most of them only refer to an expression, which the document
  // stores anyway, and to a shared place.
  private enum Storage: Sendable {
    case expression(Expression, Int32)
    case stated(Shared<ExpressionStepUse>)
  }

  private let storage: Storage
  private let sharedPlace: Shared<Place>

  /// Creates a reference to a step for an expression that contains the reference.
  ///
  /// - Parameter position: the index of this reference in the list of all references in the expression.
  init(_ expression: Expression, _ position: Int, at place: Shared<Place>) {
    storage = .expression(expression, Int32(clamping: position))
    sharedPlace = place
  }

  /// Creates a reference that comes from a key and not from an expression. For example, `submit:` refers to the step that received the page
  /// with the form.
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

  /// The index of the extract and the ordinal of its step, if the whole expression has the form `STEP.EXTRACT`; otherwise nil. The two
  /// numbers are stored so that the text of the expression need not be parsed again.
  private var extract: (index: Int, step: Int)? {
    if case .expression(let expression, _) = storage { expression.extract } else { nil }
  }

  /// The ordinal (index in the document) of the referenced step.
  public var target: Int { extract?.step ?? use.target }
  /// The part of the referenced step that is used.
  public var member: Member { extract.map { .extract($0.index) } ?? use.storedMember.member }
  /// The name of the referenced part of the step, as written in the expression, such as `id` or `status`.
  public var name: String { use.name }
  /// The source range of the reference, such as that of `create.id`.
  public var range: SourceRange { use.range }
  /// Whether the reference is followed by `??` and another value. This other value is used if the referenced member of the response is
  /// undefined.
  public var isOptional: Bool { extract == nil && use.isOptional }
  /// The position of the reference within the step that contains it.
  public var place: Place { sharedPlace.value }
  /// An identifier of the key under which the reference is written in the step. All references in the value of one key have the same
  /// identifier.
  var placeID: ObjectIdentifier { ObjectIdentifier(sharedPlace) }

  /// The data that the planner needs: the ordinal of the referenced step, whether only the URL of that step is used, and whether the
  /// reference is followed by `??`.
  package var edge: (target: Int, isAddress: Bool, isOptional: Bool) {
    if let extract { return (extract.step, false, false) }
    let use = use
    return (use.target, use.storedMember.isAddress, use.isOptional)
  }

  /// A part of a step's result, stored as a number of four bytes:
  /// - 0 or greater: the index of an extract;
  /// - the lowest possible number: the URL of a listening step;
  /// - any other negative number: a member of the response.
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
