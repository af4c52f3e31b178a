public import GarlandDiagnostics

/// One step of a workflow, with the defaults merged into it.
public final class Step: Sendable {
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
  /// What is expected of the response, in document order, defaults first.
  public let expectations: [Expectation]
  /// What is taken out of the response; an extract's index here is what references to it hold.
  public let extractions: [Extraction]
  /// When it runs.
  public let flow: StepFlow
  /// Every reference to another step, or to itself outside of `expect` and `extract`, from every place an expression can stand, in document
  /// order; `after:` and `cleanup:` are in ``flow``.
  public let references: [StepReference]
  /// The variables, secrets and environment variables it uses.
  public let inputs: [InputReference]
  /// What its own expectations and extractions look at.
  public let neededByItself: ResponseNeeds
  /// What other steps look at: when none of them is left, the rest can be dropped.
  public let neededByOthers: ResponseNeeds

  init(
    id: String, idRange: SourceRange, range: SourceRange, ordinal: Int, description: String?, tags: [String], action: Action,
    expectations: [Expectation], extractions: [Extraction], flow: StepFlow, references: [StepReference], inputs: [InputReference],
    neededByItself: ResponseNeeds, neededByOthers: ResponseNeeds
  ) {
    self.id = id
    self.idRange = idRange
    self.range = range
    self.ordinal = ordinal
    self.description = description
    self.tags = tags
    self.action = action
    self.expectations = expectations
    self.extractions = extractions
    self.flow = flow
    self.references = references
    self.inputs = inputs
    self.neededByItself = neededByItself
    self.neededByOthers = neededByOthers
  }

  /// Whether its request is to fail in transit, so that no response is looked at.
  public var expectsError: Bool {
    expectations.contains { if case .error = $0.check { true } else { false } }
  }

  /// Whether it expects something of the certificate or the version of TLS.
  public var looksAtTLS: Bool {
    expectations.contains { if case .tls = $0.check { true } else { false } }
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
