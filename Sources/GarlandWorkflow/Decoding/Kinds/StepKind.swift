import GarlandYAML

/// A kind of step that is not a plain request and has its own key, such as `submit` or `websocket`. The decoder uses the list ``all`` of
/// these kinds.
struct StepKind: Sendable {
  typealias Decode = @Sendable (DocumentDecoder) -> (YAMLMapping.Entry, MappingReader<StepKey>, ExpressionScope) -> StepAction?

  let key: StepKey
  /// The texts of the error for a key of this kind that is used in a step of another kind: the purpose of the key, as the end of a
  /// sentence, and advice. Nil if this kind has no keys of its own.
  var own: (purpose: String, help: String)?
  /// All keys that a step of this kind may have; nil if they are the keys of a plain request.
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
