import GarlandWorkflow

/// What is left of a step for those that name it: what it extracted and what they look at of its response. Dropped when the last of them is done.
final class StoredStep: Sendable {
  /// One for each of ``Step/extractions``.
  let extracted: [Value?]
  /// Nil if nobody looks at the response.
  let response: ReceivedResponse?
  /// Why there is nothing, or less than there might be, as half a sentence about the step: "it was skipped".
  let absence: String?
  /// Of a step with a loop what its items left, in place of all else; nil for those that did not pass.
  let iterations: [StoredStep?]?
  /// How many bytes of bodies and values it holds, roughly; 0 for what is not worth counting.
  let weight: Int
  private static let leastWeight = 512
  /// What a response takes beside its body.
  private static let responseWeight = 600

  init(extracted: [Value?], response: ReceivedResponse?, absence: String?) {
    self.extracted = extracted
    self.response = response
    self.absence = absence
    iterations = nil
    var weight = response.map { Self.responseWeight + $0.bodyWeight } ?? 0
    for value in extracted {
      switch value {
      case .plain(let json)?, .secret(let json)?: weight += json.weight
      case .some, nil: break
      }
    }
    self.weight = weight < Self.leastWeight ? 0 : weight
  }

  /// Of a step with a loop.
  init(iterations: [StoredStep?]) {
    extracted = []
    response = nil
    absence = nil
    self.iterations = iterations
    weight = iterations.reduce(0) { $0 + ($1?.weight ?? 0) }
  }
}
