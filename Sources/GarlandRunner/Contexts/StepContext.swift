import GarlandWorkflow

/// A snapshot of the values that the expressions of a step can use. Any thread can read the snapshot.
final class StepContext: EvaluationContext, Sendable {
  /// A step that expressions refer to, with the values that are stored for it.
  struct Known: Sendable {
    /// The ordinal of the step: its index in the document.
    let step: Int
    let stored: StoredStep?
  }

  /// The URL of a listening step (a list of URLs for a step with a loop), or the reason why the step has no URL.
  struct Address: Sendable {
    /// The ordinal of the step: its index in the document.
    let step: Int
    let url: Result<Value, ListenError>
  }

  private let document: DocumentValues
  private let known: [Known]
  private let addresses: [Address]
  private let response: ReceivedResponse?
  /// Records the random numbers that the step's expressions use, so that a repeated request uses the same numbers. Nil if the step always
  /// uses new random numbers.
  private let tape: RandomTape?
  let item: Value?
  let index: Int?
  let streamItem: (any StreamItemData)?
  /// A number by which each step gets different generated test data: the ordinal of the step (its index in the document) plus 1. It is 0
  /// for an expression that belongs to no step. See ``EvaluationContext/callPlace``.
  let callPlace: UInt64

  init(
    document: DocumentValues, known: [Known], addresses: [Address] = [], response: ReceivedResponse? = nil, item: Value? = nil,
    index: Int? = nil, tape: RandomTape? = nil, streamItem: (any StreamItemData)? = nil, callPlace: UInt64 = 0
  ) {
    self.streamItem = streamItem
    self.callPlace = callPlace
    self.tape = tape
    self.document = document
    self.known = known
    self.addresses = addresses
    self.response = response
    self.item = item
    self.index = index
  }

  /// Returns a copy of this context in which expressions can also use the step's own response.
  func with(_ response: ReceivedResponse) -> StepContext {
    StepContext(document: document, known: known, addresses: addresses, response: response, item: item, index: index, callPlace: callPlace)
  }

  /// Returns a copy of this context in which expressions can also use the current item of the step's loop.
  func with(item: Value, index: Int) -> StepContext {
    StepContext(document: document, known: known, addresses: addresses, response: response, item: item, index: index, callPlace: callPlace)
  }

  /// Returns a copy of this context in which expressions can also use the current item of a stream, such as an event.
  func with(_ streamItem: any StreamItemData) -> StepContext {
    StepContext(
      document: document, known: known, addresses: addresses, response: response, item: item, index: index, tape: tape,
      streamItem: streamItem, callPlace: callPlace)
  }

  /// Returns a copy of this context in which expressions can also use the values that the step `step` has extracted so far.
  func with(extracted: [Value?], of step: Int) -> StepContext {
    let own = Known(step: step, stored: StoredStep(extracted: extracted, response: nil, absence: nil))
    return StepContext(
      document: document, known: known.filter { $0.step != step } + [own], addresses: addresses, response: response, item: item,
      index: index, tape: tape, callPlace: callPlace)
  }

  /// Returns a copy of this context that records its random numbers in `tape`, so that a repeated request uses the same numbers again.
  func with(_ tape: RandomTape) -> StepContext {
    StepContext(
      document: document, known: known, addresses: addresses, response: response, item: item, index: index, tape: tape, callPlace: callPlace
    )
  }

  func iterationCount(of step: Int) -> Int? { stored(step)?.iterations?.count }

  func iteration(_ index: Int, of step: Int) -> any EvaluationContext {
    let known = known.map { entry in
      entry.step == step ? Known(step: step, stored: entry.stored?.iterations?[index]) : entry
    }
    return StepContext(
      document: document, known: known, addresses: addresses, response: response, item: item, index: self.index, tape: tape,
      callPlace: callPlace)
  }

  func variable(_ index: Int) throws(EvaluationError) -> Value { try document.variable(index) }
  func input(_ index: Int) throws(EvaluationError) -> Value? { try document.input(index) }
  func secret(_ index: Int) -> String? { document.secret(index) }
  func authentication(_ index: Int, _ member: AuthMember) -> Value? { document.tokens.value(index, member) }
  func context(ofAuthentication index: Int) -> (any EvaluationContext)? {
    document.foreign[index].map { StepContext(document: $0, known: []) }
  }
  func environmentVariable(_ index: Int) -> String? { document.environmentVariable(index) }

  func extracted(_ index: Int, of step: Int) -> Value? {
    guard let extracted = stored(step)?.extracted, extracted.indices.contains(index) else { return nil }
    return extracted[index]
  }

  func response(of step: Int) -> (any ResponseData)? { stored(step)?.response }
  func absence(of step: Int) -> String? {
    if let stored = stored(step) { return stored.absence }
    guard case .failure(let error)? = addresses.first(where: { $0.step == step })?.url else { return nil }
    return error.message
  }

  func address(of step: Int) throws(EvaluationError) -> Value? {
    switch addresses.first(where: { $0.step == step })?.url {
    case .success(let url)?: return url
    case .failure(let error)?:
      if let outOfTime = error.outOfTime { throw outOfTime }
      return nil
    case nil: return nil
    }
  }

  var currentResponse: (any ResponseData)? { response }
  var services: EvaluationServices {
    guard let tape else { return document.services }
    var services = document.services
    services.random = tape.next
    return services
  }

  // A context is asked for its registry with each response, and a copy of all services takes longer.
  var secretRegistry: any SecretRegistry { document.services.secrets }

  /// Returns the stored values of the step with the given ordinal (its index in the document).
  func storedStep(_ ordinal: Int) -> StoredStep? { stored(ordinal) }

  private func stored(_ step: Int) -> StoredStep? {
    for entry in known where entry.step == step { return entry.stored }
    return nil
  }
}
