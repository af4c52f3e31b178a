import Synchronization

/// The way that every byte takes out of the program: through the redactor, to a sink.
///
/// ```swift
/// let output = RedactedOutput(FileDescriptorSink.standardOutput, redactor: redactor)
/// try output.write("token \(token)\n")  // token ***
/// try output.finish()
/// ```
///
/// A secret that is split between two writes is masked too: the beginning of what could be one is held back until what follows shows that it
/// is none, or until `finish` or a write that says it is complete. Writers on several threads do not mix within one write.
public final class RedactedOutput: Sendable {
  private let sink: any ByteSink
  private let redactor: Redactor
  private let stream: Mutex<Redactor.Stream>

  /// - Parameters:
  ///   - sink: where the bytes go.
  ///   - redactor: what it knows is masked.
  public init(_ sink: any ByteSink, redactor: Redactor) {
    self.sink = sink
    self.redactor = redactor
    stream = Mutex(Redactor.Stream())
  }

  /// Writes text.
  ///
  /// - Parameters:
  ///   - text: what to write.
  ///   - isComplete: true if nothing of it may be held back, as for a prompt or a line of a live display.
  public func write(_ text: String, isComplete: Bool = false) throws(OutputError) {
    try write(Array(text.utf8), isComplete: isComplete)
  }

  /// Writes styled text in the colours that the place of output allows.
  public func write(_ text: StyledText, colors: StyledText.ColorMode, isComplete: Bool = false) throws(OutputError) {
    try write(Array(text.rendered(colors).utf8), isComplete: isComplete)
  }

  /// Writes bytes.
  public func write(_ bytes: [UInt8], isComplete: Bool = false) throws(OutputError) {
    try stream.withLock { stream throws(OutputError) in
      let masked = redactor.redact(bytes, in: &stream, isLast: isComplete)
      if !masked.isEmpty { try sink.write(masked) }
    }
  }

  /// What ``write(_:isComplete:)`` would write, for who sends it on by itself.
  package func masked(_ bytes: [UInt8], isComplete: Bool = false) -> [UInt8] {
    stream.withLock { redactor.redact(bytes, in: &$0, isLast: isComplete) }
  }

  /// Writes what was held back. More may be written after it.
  public func finish() throws(OutputError) { try write([], isComplete: true) }
}
