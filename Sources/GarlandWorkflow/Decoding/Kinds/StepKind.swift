import GarlandYAML

/// A kind of step that has its own key, such as `submit` or `websocket`, with the data that the decoder needs. The list ``all`` contains
/// every such kind.
struct StepKind: Sendable {
  typealias Decode = @Sendable (DocumentDecoder) -> (YAMLMapping.Entry, MappingReader<StepKey>, ExpressionScope) -> StepAction?

  let key: StepKey
  /// The keys that only steps of this kind can have, except the key that selects the kind.
  var own: Set<StepKey> = []
  /// All keys that a step of this kind may have; nil if these are the keys of a request.
  var keys: Set<StepKey>?
  let decode: Decode

  static let all = [
    StepKind(key: .submit, decode: DocumentDecoder.decodeSubmit),
    StepKind(
      key: .websocket, own: [.subprotocols, .talk], keys: DocumentDecoder.besideWebSocket, decode: DocumentDecoder.decodeWebSocket),
    StepKind(key: .reach, own: [.within], keys: DocumentDecoder.besideReach, decode: DocumentDecoder.decodeReach),
    StepKind(key: .listen, keys: DocumentDecoder.besideListen, decode: DocumentDecoder.decodeListen),
  ]
}
