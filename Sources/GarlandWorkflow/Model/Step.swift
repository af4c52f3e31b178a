public import GarlandDiagnostics

/// One step of a workflow, with the defaults merged into it.
///
/// `@unchecked Sendable`: all is constant but what others need, which the decoder sets when it has read the last step, before it gives the workflow away;
/// nobody else can.
public final class Step: @unchecked Sendable {
  /// What a step does.
  public enum Action: Sendable {
    /// Sends a request.
    case request(RequestTemplate)
    /// Runs another document.
    indirect case call(CallTemplate)
  }

  /// Its name in the document.
  public let id: String
  /// Where the name stands.
  public let idRange: SourceRange
  /// The name and all that belongs to it.
  public let range: SourceRange
  /// Its index in ``Workflow/steps``.
  public let ordinal: Int
  /// `description:`.
  public let description: String?
  /// `tags:`.
  public let tags: [String]
  /// What it does.
  public let action: Action
  /// What is expected of the response, in document order, defaults first. Steps that say the same, word for word, share it: then its own part (what is no
  /// default) has the places where the first of these steps says it, and ``place(of:)`` gives those in this step.
  public let expectations: [Expectation]
  private let expectationShift: Int32
  /// What is taken out of the response; an extract's index here is what references to it hold.
  public let extractions: [Extraction]
  /// When it runs.
  public let flow: StepFlow
  /// Every reference to another step, or to itself outside of `expect` and `extract`, from every place an expression can stand, in document
  /// order; `after:` and `cleanup:` are in ``flow``.
  public let references: [StepReference]
  /// The variables, secrets and environment variables it uses.
  public let inputs: [InputReference]
  /// The absolute paths of the files that it names, by itself or through what all steps of the document have: those it sends or compares with, schemas and
  /// what these refer to, certificates, rows.
  public let files: [String]
  /// What its own expectations and extractions look at.
  public let neededByItself: ResponseNeeds
  /// What other steps look at: when none of them is left, the rest can be dropped.
  public internal(set) var neededByOthers: ResponseNeeds = []
  /// Where other steps of the document look in the JSON of the response, if they do.
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

  /// Where in this step something stands that belongs to an expectation of its own.
  ///
  /// - Parameter range: the place that the expectation, or one of its predicates, tells.
  public func place(of range: SourceRange) -> SourceRange {
    guard expectationShift != 0, range.file === self.range.file else { return range }
    return SourceRange(range.file, range.offsets.lowerBound + Int(expectationShift)..<range.offsets.upperBound + Int(expectationShift))
  }

  /// What it waits for by `poll.until`, if that is said as expectations.
  public var awaited: [Expectation] {
    if case .expectations(let expectations)? = flow.repetition.poll?.until { expectations } else { [] }
  }
  /// All that is looked at in a response.
  public var judged: [Expectation] { flow.repetition.poll == nil ? expectations : awaited + expectations }

  /// Whether its request is to fail in transit, so that no response is looked at.
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
