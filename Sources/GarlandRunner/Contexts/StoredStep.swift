import GarlandWorkflow

/// The values of a step that later steps use: its extracts, and parts of its response. The values are released when the last step that uses
/// them has ended.
final class StoredStep: Sendable {
  /// The extracted values, one for each of ``Step/extractions``.
  let extracted: [Value?]
  /// The response, reduced to the parts that other steps read; nil if no step reads it.
  let response: ReceivedResponse?
  /// The reason why the step has no values, as a clause for messages: "it was skipped".
  let absence: String?
  /// The stored values of each item, for a step with a loop; nil for any other step. An item that did not pass is nil. If this list is set,
  /// the other properties are empty.
  let iterations: [StoredStep?]?
  /// The approximate memory size of the stored body and values in bytes. A size below 512 counts as 0.
  let weight: Int
  private static let leastWeight = 512
  /// The approximate memory size of a response in bytes, without its body.
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

  /// Creates the stored values of a step with a loop.
  init(iterations: [StoredStep?]) {
    extracted = []
    response = nil
    absence = nil
    self.iterations = iterations
    weight = iterations.reduce(0) { $0 + ($1?.weight ?? 0) }
  }
}
