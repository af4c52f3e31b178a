import GarlandDiagnostics
import GarlandResults

/// Describes a response that was read item by item, such as server-sent events or WebSocket messages.
enum StreamWords {
  /// Returns a summary of a stream, such as `12 events, the first after 20 ms`.
  static func text(of stream: Exchange.Stream, _ mask: Mask) -> String {
    let count = "\(Readable.count(stream.count)) \(name(mask.line(stream.items), stream.count))"
    return stream.timeToFirst.map { "\(count), the first after \(Readable.duration($0))" } ?? count
  }

  /// Returns the messages of a WebSocket connection, with `>` before those that were sent and `<` before those that were received.
  static func messages(of stream: Exchange.Stream, _ mask: Mask) -> [StyledText] {
    var lines: [StyledText] = []
    if stream.omittedMessages > 0 {
      lines.append(StyledText("… (\(Readable.count(stream.omittedMessages, "earlier message")))", .dim))
    }
    return lines + stream.messages.map { "\($0.isSent ? "> " : "< ", .dim)\(mask.line($0.text))" }
  }

  /// Returns the progress of a stream, such as `3 events` or `3/10 events`.
  static func text(of items: TransferProgress.Items) -> String {
    let count = Readable.count(items.count)
    guard let expected = items.expected else { return "\(count) \(name(items.name, items.count))" }
    return "\(count)/\(Readable.count(expected)) \(name(items.name, expected))"
  }

  private static func name(_ items: String, _ count: Int) -> String {
    count == 1 && items.hasSuffix("s") ? String(items.dropLast()) : items
  }
}
