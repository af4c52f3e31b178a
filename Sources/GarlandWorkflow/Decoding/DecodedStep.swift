import GarlandDiagnostics

/// A step while it is being decoded.
struct DecodedStep {
  let id: String
  let idRange: SourceRange
  let range: SourceRange
  let ordinal: Int
  var description: String?
  var tags: [String] = []
  var request: RequestTemplate?
  var call: CallTemplate?
  var expectations: [Expectation] = []
  var expectationShift = 0
  var extractions: [Extraction] = []
  var flow = StepFlow()
  var references: [StepReference] = []
  var inputs: [InputReference] = []
  var files: [String] = []
  var urlInputs: [InputReference] = []
  var ownNeeds: ResponseNeeds = []

  init(_ id: String, _ idRange: SourceRange, _ range: SourceRange, ordinal: Int) {
    self.id = id
    self.idRange = idRange
    self.range = range
    self.ordinal = ordinal
  }

  /// The step, which lacks only what the steps after it say of it.
  consuming func build() -> Step {
    // A step without a request has been reported, and the workflow is not used.
    let request = request ?? RequestTemplate(method: Located("GET", at: idRange), url: URLTemplate(pieces: [], source: "", range: idRange))
    return Step(
      id: id, idRange: idRange, range: range, ordinal: ordinal, description: description, tags: tags,
      action: call.map { .call($0) } ?? .request(request),
      expectations: expectations, expectationShift: expectationShift, extractions: extractions, flow: flow, references: references,
      inputs: inputs, files: files,
      neededByItself: ownNeeds)
  }
}
