import GarlandDiagnostics
import Glibc

/// Collects the output to a standard stream and writes it in one piece. If the program that reads the stream has closed it, later output is
/// dropped without an error; any other error is stored.
///
/// ``flush()`` writes all output and may block. ``flushWithoutWaiting()`` writes as much as is possible without blocking, and a later
/// ``flush()`` writes the rest.
final class ConsoleStream {
  let target: ConsoleOutput
  private var pending: [UInt8] = []
  /// The masked output that waits until the pipe has room.
  private var leaving: [UInt8] = []
  private var pipe: PromptPipe?
  private var refusal: OutputError?
  /// The error number of the first failed write; nil if no write has failed. If the stream was already closed when the program started, as
  /// for a daemon, failed writes are ignored.
  private(set) var failure: Int32?
  /// The maximum number of bytes that the stream holds while the pipe is full. If more bytes must be written, the reports need a thread
  /// that can wait for the pipe.
  private static let most = 256 << 10

  init(_ target: ConsoleOutput) { self.target = target }

  var isTerminal: Bool { target.facts.isTerminal }
  /// Whether the stream still accepts output, because no write has failed.
  var isOpen: Bool { refusal == nil }
  var colors: StyledText.ColorMode { target.facts.colors }
  /// Whether ``flushWithoutWaiting()`` can write to the stream.
  var isPrompt: Bool { target.patience != .unknown }
  /// Whether too much output is waiting. The reports must then continue on a separate thread, since that thread may block until the output
  /// is written.
  var isFull: Bool { pending.count + leaving.count > Self.most }

  func add(_ line: StyledText) { add(line.rendered(colors)) }

  func add(_ line: String) { add(Array(line.utf8)) }

  func add(_ line: [UInt8]) {
    guard refusal == nil else { return }
    pending.append(contentsOf: line)
    pending.append(UInt8(ascii: "\n"))
  }

  func flush() {
    writeLeaving()
    guard !pending.isEmpty else { return }
    write(pending)
    pending.removeAll(keepingCapacity: pending.count < 1 << 20)
  }

  /// Writes as much of the collected console output as the stream accepts at once, so that the caller never waits.
  func flushWithoutWaiting() -> PromptFlush {
    guard !pending.isEmpty || !leaving.isEmpty else { return .done }
    switch target.patience {
    case .none:
      flush()
      return .done
    case .unknown: return .mustWait
    case .reader:
      guard let pipe = pipe ?? target.fileDescriptor.flatMap(PromptPipe.open) else { return .mustWait }
      self.pipe = pipe
      leaving += target.output.masked(pending, isComplete: true)
      pending.removeAll(keepingCapacity: true)
      switch pipe.write(&leaving) {
      case .all: return .done
      case .untilFull: return isFull ? .mustWait : .waits
      case .untilLongLine: return .mustWait
      case .failure(let error):
        leaving = []
        refuse(error)
        return .done
      }
    }
  }

  /// Writes text immediately, in one piece.
  func write(_ text: String) { write(Array(text.utf8)) }

  /// Writes bytes of a text immediately, in one piece.
  ///
  /// - Parameters:
  ///   - isComplete: whether these bytes end the text. If false, the last bytes are held back until the next write if they may be the first
  ///     half of a secret.
  ///   - isAskedFor: whether the user has requested this output. Other output is lost without an error if the stream was already closed
  ///     when the program started, for example in a daemon.
  func write(_ bytes: [UInt8], isComplete: Bool = true, isAskedFor: Bool = false) {
    writeLeaving()
    guard !bytes.isEmpty else { return }
    if refusal == nil {
      do throws(OutputError) {
        try target.output.write(bytes, isComplete: isComplete)
      } catch {
        refuse(error)
      }
    }
    // The error was known before, but it matters only for output that the user requested.
    if isAskedFor, case .failed(let number)? = refusal { failure = failure ?? number }
  }

  /// Closes ``pipe``, and then writes the rest of the output, ``leaving``, to the stream's own file descriptor. Secrets in the rest are
  /// already masked. This write may block until the reader has read some output; a write to ``pipe`` never blocks.
  private func writeLeaving() {
    pipe = nil
    guard !leaving.isEmpty, let descriptor = target.fileDescriptor else { return }
    do throws(OutputError) {
      try FileDescriptorSink(fileDescriptor: descriptor).write(leaving)
    } catch {
      refuse(error)
    }
    leaving = []
  }

  private func refuse(_ error: OutputError) {
    refusal = error
    // It is not an error if the stream was closed from the beginning, as for daemons.
    guard case .failed(let number) = error, number != EBADF else { return }
    failure = failure ?? number
  }
}
