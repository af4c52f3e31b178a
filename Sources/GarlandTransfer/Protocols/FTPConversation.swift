import CCurl
import Glibc

/// What is known of an FTP server while libcurl talks to it.
///
/// libcurl ends a connection with QUIT and waits for the answer, which holds up the engine's thread, for two minutes where none comes. Nobody needs that answer: as
/// soon as the command has left, the control connection is shut down, and the wait is over.
final class FTPConversation {
  /// The last refusal.
  private(set) var refusal: String?
  private let sockets = UnsafeMutablePointer<garland_sockets>.allocate(capacity: 1)

  init() { sockets.initialize(to: garland_sockets()) }

  deinit { sockets.deallocate() }

  /// Has libcurl tell. The handle must not outlive this; its connection is not kept.
  func attach(to easy: EasyHandle) {
    garland_track_sockets(easy.handle, sockets)
    easy.set(CURLOPT_FORBID_REUSE, 1)
    // libcurl tells what it sends to whoever wants to debug it.
    easy.set(CURLOPT_VERBOSE, 1)
    garland_setopt_debug_callback(easy.handle, CURLOPT_DEBUGFUNCTION) { _, type, text, count, context in
      guard type == CURLINFO_HEADER_OUT, let text, let context, count >= 4 else { return 0 }
      let conversation = Unmanaged<FTPConversation>.fromOpaque(context).takeUnretainedValue()
      conversation.sent(UnsafeRawBufferPointer(start: text, count: count))
      return 0
    }
    garland_setopt_pointer(easy.handle, CURLOPT_DEBUGDATA, Unmanaged.passUnretained(self).toOpaque())
  }

  private func sent(_ command: UnsafeRawBufferPointer) {
    guard command.starts(with: "QUIT".utf8) else { return }
    // The one that was opened first, and is still there: the others are for content.
    let control = garland_first_socket(sockets)
    if control >= 0 { shutdown(control, Int32(SHUT_RDWR)) }
  }

  /// Takes a line of the server's.
  func received(_ line: UnsafeRawBufferPointer) {
    guard line.count >= 4, line[3] == UInt8(ascii: " "), line[0] == UInt8(ascii: "4") || line[0] == UInt8(ascii: "5") else { return }
    var count = line.count
    while count > 0, line[count - 1] <= 0x20 { count -= 1 }
    refusal = String(decoding: line[..<count], as: UTF8.self)
  }
}
