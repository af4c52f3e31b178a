import GarlandDiagnostics
import Synchronization

/// Stores the written bytes in memory.
public final class MemorySink: ByteSink {
  private let storage = Mutex<[UInt8]>([])

  /// Creates an empty sink.
  public init() {}

  /// The bytes written so far.
  public var bytes: [UInt8] { storage.withLock { $0 } }
  /// The text written so far; invalid UTF-8 is repaired.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Appends bytes. Never fails.
  public func write(_ bytes: [UInt8]) throws(OutputError) {
    storage.withLock { $0.append(contentsOf: bytes) }
  }
}
