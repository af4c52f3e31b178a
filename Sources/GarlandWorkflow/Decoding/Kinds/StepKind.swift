import GarlandYAML

/// A kind of step that is not a plain request and has its own key, such as `submit` or `websocket`. The list ``all`` contains all these
/// kinds.
struct StepKind: Sendable {
  typealias Decode = @Sendable (DocumentDecoder) -> (YAMLMapping.Entry, MappingReader<StepKey>, ExpressionScope) -> StepAction?

  let key: StepKey
  /// The error for a step that has a key of this kind of step, but is of another kind. Nil if no key belongs only to this kind of step.
  ///
  /// - `purpose` is the text after the name of the key in the message, such as `sets how long … waits`.
  /// - `help` is the advice.
  var own: (purpose: String, help: String)?
  /// All keys that a step of this kind may have. If nil, the step may have the same keys as a step with a method such as `get`.
  var keys: Set<StepKey>?
  let decode: Decode

  static let all = [
    StepKind(key: .submit, decode: DocumentDecoder.decodeSubmit),
    StepKind(
      key: .websocket, own: ("is for messages of a `websocket`", "open a connection with `websocket: /path`"),
      keys: DocumentDecoder.besideWebSocket, decode: DocumentDecoder.decodeWebSocket),
    StepKind(
      key: .reach, own: ("sets how long `reach` waits", "to limit the time of a request, write `timeout` or `deadline`"),
      keys: DocumentDecoder.besideReach, decode: DocumentDecoder.decodeReach),
    StepKind(key: .listen, keys: DocumentDecoder.besideListen, decode: DocumentDecoder.decodeListen),
  ]
}
