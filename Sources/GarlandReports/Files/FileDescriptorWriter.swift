import Glibc

/// A buffered writer to a file descriptor of its own. It keeps the first error, and drops all later
/// output.
final class FileDescriptorWriter {
  /// The error number of the first write that failed.
  private(set) var failure: Int32?
  /// How many bytes were written, those in the buffer included.
  private(set) var position = 0
  let descriptor: Int32
  private var buffer: [UInt8] = []
  private static let capacity = 64 << 10

  /// - Parameter descriptor: closed by `close()` or when this goes away.
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

  /// Flushes and closes; network file systems report a full disk only here.
  func close() -> Int32? {
    guard isOpen else { return failure }
    flush()
    isOpen = false
    if Glibc.close(descriptor) != 0, failure == nil, errno != EINTR { failure = errno }
    return failure
  }
}
