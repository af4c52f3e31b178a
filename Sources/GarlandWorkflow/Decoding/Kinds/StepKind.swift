import GarlandYAML

/// A kind of step with a key of its own, as the decoder knows it: the only registration of the kind.
struct StepKind: Sendable {
  typealias Decode = @Sendable (DocumentDecoder) -> (YAMLMapping.Entry, MappingReader<StepKey>, ExpressionScope) -> StepAction?

  let key: StepKey
  /// The further keys that only this kind has.
  var own: Set<StepKey> = []
  /// All keys that a step of this kind may have; nil if it may have those of a request.
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
