public import GarlandDiagnostics

/// `events:` or `lines:`: the step reads the body of the response item by item while it arrives, and does not keep the whole body.
public final class StreamTemplate: Sendable {
  /// The default time limit for a stream without a condition for its end.
  public static let defaultTime = Duration.seconds(300)

  /// The format of the stream.
  public let format: StreamFormat
  /// The condition on an item that ends reading: `until:`. Reading stops after the first item for which the condition is true. While it is
  /// undefined, reading continues.
  public let until: Setting<Bool>?
  /// `count:`: the number of items after which reading stops.
  public let count: Setting<Int>?
  /// `within:`: the time limit for reading the stream.
  public let within: Setting<Duration>?
  /// The number of items that are kept: `keep:`. The last items are kept.
  public let keep: Setting<Int>?
  /// `each:`: the expectations for every item.
  public let each: [Expectation]
  /// `reconnect:`: how many times the request is sent again if the server ends the stream too early.
  public let reconnect: Setting<Int>?
  /// The place of the key.
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
