import NIOCore

/// Executes the script of a response step by step. Collects the bytes to send in buffers, so that each write has a limited size.
struct ScriptCursor {
  enum Action {
    /// The caller must send the content of the buffer. `isLast` is true if nothing follows.
    case write(isLast: Bool)
    case pause(Duration)
    case hang
    case close
    case reset
    /// The script of the response has ended.
    case done
  }

  private static let writeSize = 1 << 16
  private static let lineBreak: [UInt8] = [0x0D, 0x0A]

  private var steps: [WireStep]
  private var position = 0
  /// The progress of the script's current step. For a pattern, this is the number of written bytes. For repetitions of the same bytes, it
  /// is the number of written repetitions.
  private var progress: UInt64 = 0

  init(_ steps: [WireStep]) { self.steps = steps }

  private var isAtEnd: Bool { position >= steps.count }

  /// Returns the next action; bytes to write are appended to `buffer`.
  mutating func next(into buffer: inout ByteBuffer) -> Action {
    while !isAtEnd, buffer.readableBytes < Self.writeSize {
      switch steps[position] {
      case .write(let bytes):
        buffer.writeBytes(bytes)
        advance()
      case .pattern(let pattern, let range, let chunked):
        write(pattern, range, chunked, into: &buffer)
      case .repeated(let bytes, let times):
        repeat {
          if let times, progress >= UInt64(times) {
            advance()
            break
          }
          buffer.writeBytes(bytes)
          progress += 1
        } while buffer.readableBytes < Self.writeSize
      case .pause(let duration):
        guard buffer.readableBytes == 0 else { return .write(isLast: false) }
        advance()
        return .pause(duration)
      case .hang: return buffer.readableBytes == 0 ? .hang : .write(isLast: false)
      case .close: return buffer.readableBytes == 0 ? .close : .write(isLast: false)
      case .reset: return buffer.readableBytes == 0 ? .reset : .write(isLast: false)
      }
    }
    return buffer.readableBytes > 0 ? .write(isLast: isAtEnd) : .done
  }

  private mutating func advance() {
    position += 1
    progress = 0
  }

  private mutating func write(_ pattern: PatternBytes, _ range: Range<UInt64>, _ chunked: Bool, into buffer: inout ByteBuffer) {
    let start = range.lowerBound + progress
    let count = min(range.upperBound - start, UInt64(Self.writeSize))
    if chunked, count > 0 { buffer.writeString(String(count, radix: 16) + "\r\n") }
    pattern.forEachPiece(in: start..<start + count) { buffer.writeBytes($0) }
    if chunked, count > 0 { buffer.writeBytes(Self.lineBreak) }
    progress += count
    guard start + count == range.upperBound else { return }
    if chunked { buffer.writeStaticString("0\r\n\r\n") }
    advance()
  }
}
