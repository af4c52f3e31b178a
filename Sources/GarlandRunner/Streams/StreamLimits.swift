import GarlandWorkflow

/// The limits of a stream after their expressions were evaluated, such as `count`, `within` and `max_body`.
struct StreamLimits: Sendable {
  /// The maximum size in bytes of a stream item, and of all kept items together, if the step has no `max_body`.
  static let defaultSize = 64 << 20
  /// The pause before the request is sent again, unless the server requests a different pause.
  static let defaultReconnectionTime = Duration.seconds(1)

  let count: Int?
  let within: Duration
  let keep: Int
  let reconnections: Int
  let size: Int
  /// The step's `deadline`; nil if the step has no deadline.
  let deadline: Duration?

  /// Evaluates the limits that a document sets for a stream.
  ///
  /// - Parameters:
  ///   - template: the settings of the stream in the document.
  ///   - isNeeded: whether an expression, an expectation or `--print` uses the items.
  ///   - maximumBody: the step's `max_body`; nil if the step has no `max_body`.
  ///   - deadline: the step's `deadline`; nil if the step has no deadline.
  init(
    _ template: StreamTemplate, isNeeded: Bool, maximumBody: Int64?, deadline: Duration?, in context: StepContext
  ) throws(EvaluationError) {
    count = try template.count?.resolve(in: context).magnitude(from: 1)
    within = try template.within?.resolve(in: context) ?? StreamTemplate.defaultTime
    keep = try template.keep?.resolve(in: context).magnitude(from: 0) ?? (isNeeded ? .max : 0)
    reconnections = try template.reconnect?.resolve(in: context).magnitude(from: 0) ?? 0
    size = maximumBody.map { Int($0) } ?? Self.defaultSize
    self.deadline = deadline
  }
}

extension Int {
  /// Returns the number itself, or `least` if the number is smaller. The number may come from an expression, so it can have any value.
  fileprivate func magnitude(from least: Int) -> Int { Swift.max(self, least) }
}
