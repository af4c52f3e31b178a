import GarlandWorkflow

/// The values of a step that later steps use: its extracts, and the parts of its response that they
/// read. Dropped when the last of them has ended.
final class StoredStep: Sendable {
  /// The extracted values, one for each of ``Step/extractions``.
  let extracted: [Value?]
  /// Nil if no step reads the response.
  let response: ReceivedResponse?
  /// Why there is nothing, or less than there might be, as half a sentence about the step: "it was skipped".
  let absence: String?
  /// The stored values of a loop's items, in place of all else; nil for items that did not pass.
  let iterations: [StoredStep?]?
  /// The weight of its bodies and values in bytes, roughly; 0 for small ones.
  let weight: Int
  private static let leastWeight = 512
  /// The weight of a response beside its body.
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

  /// Makes the stored values of a step with a loop.
  init(iterations: [StoredStep?]) {
    extracted = []
    response = nil
    absence = nil
    self.iterations = iterations
    weight = iterations.reduce(0) { $0 + ($1?.weight ?? 0) }
  }
}
