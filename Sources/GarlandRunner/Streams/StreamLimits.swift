import GarlandTransfer
import GarlandWorkflow

/// The evaluated limits of a stream.
struct StreamLimits: Sendable {
  /// The size in bytes of an item, and of all kept items together, if the step has no `max_body`.
  static let defaultSize = 64 << 20
  /// The time that the server is given before the request is sent again, if the stream says nothing.
  static let defaultReconnectionTime = Duration.seconds(1)

  let count: Int?
  let within: Duration
  let keep: Int
  let reconnections: Int
  let size: Int

  /// - Parameters:
  ///   - template: the stream of a step.
  ///   - isNeeded: whether something uses the items.
  ///   - maximumBody: the step's `max_body`, if it has one.
  init(_ template: StreamTemplate, isNeeded: Bool, maximumBody: Int64?, in context: StepContext) throws(EvaluationError) {
    count = try template.count?.resolve(in: context).magnitude(from: 1)
    within = try template.within?.resolve(in: context) ?? StreamTemplate.defaultTime
    keep = try template.keep?.resolve(in: context).magnitude(from: 0) ?? (isNeeded ? .max : 0)
    reconnections = try template.reconnect?.resolve(in: context).magnitude(from: 0) ?? 0
    size = maximumBody.map { Int($0) } ?? Self.defaultSize
  }
}

extension Int {
  /// The number, or the least one that makes sense: an expression may give any.
  fileprivate func magnitude(from least: Int) -> Int { Swift.max(self, least) }
}
