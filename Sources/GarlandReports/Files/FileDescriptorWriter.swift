import Glibc

/// A buffered writer that owns a file descriptor. It keeps the first error, and discards all later output.
final class FileDescriptorWriter {
  /// The system's error number of the first operation that failed: a write, or closing the descriptor. Nil if no operation has failed.
  private(set) var failure: Int32?
  /// The number of written bytes, including those in the buffer.
  private(set) var position = 0
  let descriptor: Int32
  private var buffer: [UInt8] = []
  private static let capacity = 64 << 10

  /// Creates a writer to a file descriptor.
  ///
  /// - Parameter descriptor: the file descriptor, which `close()` or the writer's deinitialization closes.
  init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { _ = close() }

  private var isOpen = true

  func write(_ bytes: some Collection<UInt8>) {
    guard failure == nil else { return }
    buffer.append(contentsOf: bytes)
    position += bytes.count
    if buffer.count >= FileDescriptorWriter.capacity { flush() }
  }

  func write(_ text: String) { write(text.utf8) }

  func flush() {
    buffer.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while failure == nil, !rest.isEmpty {
        let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count >= 0 {
          rest = rest.dropFirst(count)
        } else if errno != EINTR {
          failure = errno
        }
      }
    }
    buffer.removeAll(keepingCapacity: true)
  }

  /// Flushes and closes the descriptor, and returns the error number if writing failed. Network file systems report a full disk only when
  /// the file is closed.
  func close() -> Int32? {
    guard isOpen else { return failure }
    flush()
    isOpen = false
    if Glibc.close(descriptor) != 0, failure == nil, errno != EINTR { failure = errno }
    return failure
  }
}
