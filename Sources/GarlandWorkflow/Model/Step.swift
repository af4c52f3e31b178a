public import GarlandDiagnostics

/// A step of a workflow, with the defaults merged into it.
///
/// `@unchecked Sendable`: all properties are constant, except ``neededByOthers`` and ``jsonNeededByOthers``. Only the decoder sets these,
/// after it has decoded the last step and before it returns the workflow.
public final class Step: @unchecked Sendable {
  /// The id of the step in the document.
  public let id: String
  /// The source range of the step's id.
  public let idRange: SourceRange
  /// The source range of the whole step, including its id.
  public let range: SourceRange
  /// The index of the step in ``Workflow/steps``.
  public let ordinal: Int
  /// The description of the step, from the key `description:`.
  public let description: String?
  /// The tags of the step, from the key `tags:`.
  public let tags: [String]
  /// The action of the step, such as sending a request or calling a document.
  public let action: StepAction
  /// The expectations for the response: first those of the defaults, then the step's own, in document order.
  ///
  /// Steps share their expectations if their `expect` mappings have the same text and contain no expressions. The source ranges in shared
  /// expectations belong to the first of these steps; ``place(of:)`` returns the corresponding source ranges in this step.
  public let expectations: [Expectation]
  private let expectationShift: Int32
  /// The values that the step extracts from its response. A reference to an extract contains the index of the extract in this array.
  public let extractions: [Extraction]
  /// The settings that determine when and how often the step runs, and how a failure of the step affects the run.
  public let flow: StepFlow
  /// The references to steps in the step's expressions, in document order. References to the step itself are included, except those in
  /// `expect` and `extract`. The references in `after:` and `cleanup:` are in ``flow``.
  public let references: [StepReference]
  /// The references to variables, secrets, environment variables, inputs and `auth` entries in the step's expressions.
  public let inputs: [InputReference]
  /// The absolute paths of the files that the step uses, directly or through settings of the whole document. These are files to send or to
  /// compare with, schemas and the files to which schemas refer, certificates, and files of rows.
  public let files: [String]
  /// The parts of the response that the step's own expectations and extractions use.
  public let neededByItself: ResponseNeeds
  /// The parts of the response that other steps use. When all steps that use the response have ended, the response can be dropped.
  public internal(set) var neededByOthers: ResponseNeeds = []
  /// The paths in the response's JSON body that other steps of the document use.
  package internal(set) var jsonNeededByOthers = JSONNeeds.paths([])

  init(
    id: String, idRange: SourceRange, range: SourceRange, ordinal: Int, description: String?, tags: [String], action: StepAction,
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

  /// Returns the source range in this step that corresponds to a source range in its expectations.
  ///
  /// Steps with the same text under `expect` share their expectations. Shared expectations contain the source ranges of the first of these
  /// steps.
  ///
  /// - Parameter range: the source range that an expectation or one of its predicates contains.
  public func place(of range: SourceRange) -> SourceRange {
    guard expectationShift != 0, range.file === self.range.file else { return range }
    return SourceRange(range.file, range.offsets.lowerBound + Int(expectationShift)..<range.offsets.upperBound + Int(expectationShift))
  }

  /// The expectations under `poll.until`, which end the polling. Empty if `until` is a condition, or if the step does not poll.
  public var awaited: [Expectation] {
    if case .expectations(let expectations)? = flow.repetition.poll?.until { expectations } else { [] }
  }
  /// All expectations for the response: those of `poll.until`, followed by those of `expect`.
  public var judged: [Expectation] { flow.repetition.poll == nil ? expectations : awaited + expectations }

  /// Whether the step has an expectation that its request fails without a response.
  public var expectsError: Bool {
    expectations.contains { if case .error = $0.check { true } else { false } }
  }

  /// The request of the step, including the settings of the connection; nil if the step calls a document.
  public var request: RequestTemplate? { action.request }

  /// The call of another document; nil if the step does not call a document.
  public var call: CallTemplate? { action.call }
}
