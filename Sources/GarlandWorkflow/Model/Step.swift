public import GarlandDiagnostics

/// One step of a workflow, with the defaults merged into it.
///
/// `@unchecked Sendable`: all properties are constant except the needs of other steps, which the
/// decoder sets after the last step, before it returns the workflow; no other code can.
public final class Step: @unchecked Sendable {
  /// The action of a step.
  public enum Action: Sendable {
    /// Sends a request.
    case request(RequestTemplate)
    /// Runs another document.
    indirect case call(CallTemplate)
  }

  /// Its name in the document.
  public let id: String
  /// The place of the name.
  public let idRange: SourceRange
  /// The name and all that belongs to it.
  public let range: SourceRange
  /// Its index in ``Workflow/steps``.
  public let ordinal: Int
  /// `description:`.
  public let description: String?
  /// `tags:`.
  public let tags: [String]
  /// The action of the step.
  public let action: Action
  /// The expectations on the response, in document order, defaults first. Steps with the same text
  /// share them: then its own expectations (those that are no defaults) have the places of the
  /// first of these steps, and ``place(of:)`` returns the places in this step.
  public let expectations: [Expectation]
  private let expectationShift: Int32
  /// The extracts of the response; references to an extract hold its index here.
  public let extractions: [Extraction]
  /// The conditions and the order of the step.
  public let flow: StepFlow
  /// Every reference to another step, or to itself outside of `expect` and `extract`, from every place an expression can stand, in document
  /// order; `after:` and `cleanup:` are in ``flow``.
  public let references: [StepReference]
  /// The variables, secrets and environment variables it uses.
  public let inputs: [InputReference]
  /// The absolute paths of the files that it names, by itself or by settings of all steps of the
  /// document: files to send or to compare with, schemas and the files that these refer to,
  /// certificates, rows.
  public let files: [String]
  /// The parts of the response that its own expectations and extractions use.
  public let neededByItself: ResponseNeeds
  /// The parts of the response that other steps use: once all of these have ended, the rest can be
  /// dropped.
  public internal(set) var neededByOthers: ResponseNeeds = []
  /// The paths that other steps of the document use in the JSON of the response.
  package internal(set) var jsonNeededByOthers = JSONNeeds.paths([])

  init(
    id: String, idRange: SourceRange, range: SourceRange, ordinal: Int, description: String?, tags: [String], action: Action,
    expectations: [Expectation], expectationShift: Int, extractions: [Extraction], flow: StepFlow, references: [StepReference],
    inputs: [InputReference],
    files: [String],
    neededByItself: ResponseNeeds
  ) {
    self.id = id
    self.idRange = idRange
    self.range = range
    self.ordinal = ordinal
    self.description = description
    self.tags = tags
    self.action = action
    self.expectations = expectations
    self.expectationShift = Int32(clamping: expectationShift)
    self.extractions = extractions
    self.flow = flow
    self.references = references
    self.inputs = inputs
    self.files = files
    self.neededByItself = neededByItself
  }

  /// Returns the place in this step of a part of its own expectations.
  ///
  /// - Parameter range: the place of the expectation, or of one of its predicates.
  public func place(of range: SourceRange) -> SourceRange {
    guard expectationShift != 0, range.file === self.range.file else { return range }
    return SourceRange(range.file, range.offsets.lowerBound + Int(expectationShift)..<range.offsets.upperBound + Int(expectationShift))
  }

  /// The expectations of `poll.until`, if it consists of expectations.
  public var awaited: [Expectation] {
    if case .expectations(let expectations)? = flow.repetition.poll?.until { expectations } else { [] }
  }
  /// All expectations on a response.
  public var judged: [Expectation] { flow.repetition.poll == nil ? expectations : awaited + expectations }

  /// Whether its request must fail in transit, so that no response is checked.
  public var expectsError: Bool {
    expectations.contains { if case .error = $0.check { true } else { false } }
  }

  /// Whether it expects something of the certificate or the version of TLS.
  public var looksAtTLS: Bool {
    judged.contains { if case .tls = $0.check { true } else { false } }
  }

  /// The request it sends, if that is what it does.
  public var request: RequestTemplate? {
    if case .request(let request) = action { request } else { nil }
  }

  /// The document it calls, if that is what it does.
  public var call: CallTemplate? {
    if case .call(let call) = action { call } else { nil }
  }
}
