public import GarlandDiagnostics

/// The settings of a step that reads the body of the response item by item while it is received, from the key `events:`, `lines:` or
/// `parts:`. The whole body is not stored.
public final class StreamTemplate: Sendable {
  /// The default time limit for a stream without a condition for its end: 300 s.
  public static let defaultTime = Duration.seconds(300)

  /// The format of the stream, such as events or lines.
  public let format: StreamFormat
  /// The condition that ends reading, from the key `until:`. Reading stops after the first item for which the condition is true, and
  /// continues while the condition is false or undefined.
  public let until: Setting<Bool>?
  /// The number of items after which reading stops, from the key `count:`.
  public let count: Setting<Int>?
  /// The time limit for reading the stream, from the key `within:`.
  public let within: Setting<Duration>?
  /// The maximum number of items that are stored, from the key `keep:`. If there are more, only the last ones are stored.
  public let keep: Setting<Int>?
  /// The expectations for every item, from the key `each:`.
  public let each: [Expectation]
  /// The maximum number of times that the request is sent again if the server ends the stream too early, from the key `reconnect:`.
  public let reconnect: Setting<Int>?
  /// The source range of the key `events`, `lines` or `parts`.
  public let range: SourceRange

  init(
    format: StreamFormat, until: Setting<Bool>? = nil, count: Setting<Int>? = nil, within: Setting<Duration>? = nil,
    keep: Setting<Int>? = nil,
    each: [Expectation] = [], reconnect: Setting<Int>? = nil, at range: SourceRange
  ) {
    self.format = format
    self.until = until
    self.count = count
    self.within = within
    self.keep = keep
    self.each = each
    self.reconnect = reconnect
    self.range = range
  }
}
