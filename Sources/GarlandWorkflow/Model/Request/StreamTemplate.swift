public import GarlandDiagnostics

/// `events:` or `lines:`: the body of the response is read item by item while it arrives, and is not kept.
public final class StreamTemplate: Sendable {
  /// How long a stream is read if nothing says when it ends.
  public static let defaultTime = Duration.seconds(300)

  /// The format.
  public let format: StreamFormat
  /// `until:`: the condition on an item after which no more are read; undefined counts as not yet.
  public let until: Setting<Bool>?
  /// `count:`: the number of items after which no more are read.
  public let count: Setting<Int>?
  /// `within:`: how long the stream is read.
  public let within: Setting<Duration>?
  /// `keep:`: the number of items that are kept, the last ones.
  public let keep: Setting<Int>?
  /// `each:`: the expectations of every item.
  public let each: [Expectation]
  /// `reconnect:`: how often the request is sent again when the server ends the stream too early.
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
