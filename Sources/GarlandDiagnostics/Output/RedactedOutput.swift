import Synchronization

/// The output through which the program writes everything that may contain a secret.
///
/// It masks secrets before it passes the bytes to a sink.
///
/// ```swift
/// let output = RedactedOutput(FileDescriptorSink.standardOutput, redactor: redactor)
/// try output.write(Array("token \(token)\n".utf8), isComplete: true)  // token ***
/// ```
///
/// A secret that is split between two writes is masked too. For this, the output holds back bytes that may be the beginning of a secret,
/// until the next write shows whether the secret continues. A write with `isComplete` writes these bytes at once.
/// Writes on several threads are not interleaved.
public final class RedactedOutput: Sendable {
  private let sink: any ByteSink
  private let redactor: Redactor
  private let stream: Mutex<Redactor.Stream>

  /// Creates an output.
  ///
  /// - Parameters:
  ///   - sink: The destination of the bytes.
  ///   - redactor: The redactor that masks the secrets.
  public init(_ sink: any ByteSink, redactor: Redactor) {
    self.sink = sink
    self.redactor = redactor
    stream = Mutex(Redactor.Stream())
  }

  /// Writes styled text in the given colour mode. If the end of the text may be the beginning of a secret, this end is held back until a
  /// later call, unless `isComplete` is true.
  public func write(_ text: StyledText, colors: StyledText.ColorMode, isComplete: Bool = false) throws(OutputError) {
    try write(Array(text.rendered(colors).utf8), isComplete: isComplete)
  }

  /// Writes bytes, after masking the secrets in them. Unless `isComplete` is true, bytes at the end that may belong to a secret are held
  /// back until a later call.
  public func write(_ bytes: [UInt8], isComplete: Bool = false) throws(OutputError) {
    try stream.withLock { stream throws(OutputError) in
      let masked = redactor.redact(bytes, in: &stream, isLast: isComplete)
      if !masked.isEmpty { try sink.write(masked) }
    }
  }

  /// Returns the bytes that ``write(_:isComplete:)`` would write, for callers that write the bytes
  /// themselves.
  package func masked(_ bytes: [UInt8], isComplete: Bool = false) -> [UInt8] {
    stream.withLock { redactor.redact(bytes, in: &$0, isLast: isComplete) }
  }
}

/// A destination of bytes: a file descriptor, a file, or memory in tests.
public protocol ByteSink: Sendable {
  /// Writes all bytes. Throws an error if that fails.
  func write(_ bytes: [UInt8]) throws(OutputError)
}
