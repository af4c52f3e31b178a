import CCurl
import Glibc

/// Tracks the conversation of libcurl with an FTP server.
///
/// libcurl ends a connection with QUIT and waits for the reply, which blocks the engine's thread
/// for up to two minutes. The reply is not needed. So as soon as QUIT was sent, this class shuts down the
/// control connection, which ends the wait.
final class FTPConversation {
  /// The server's last reply that was an error (4xx or 5xx); nil if no reply was an error.
  private(set) var refusal: String?
  private let sockets = UnsafeMutablePointer<garland_sockets>.allocate(capacity: 1)

  init() { sockets.initialize(to: garland_sockets()) }

  deinit { sockets.deallocate() }

  /// Makes this object receive the debug output of libcurl for a handle. The handle must not outlive this object. The handle's connection
  /// is not reused.
  func attach(to easy: EasyHandle) {
    garland_track_sockets(easy.handle, sockets)
    easy.set(CURLOPT_FORBID_REUSE, 1)
    // libcurl reports the commands that it sends only as debug output.
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
    // The first socket that is still open is the control connection; the other sockets transfer content.
    let control = garland_first_socket(sockets)
    if control >= 0 { shutdown(control, Int32(SHUT_RDWR)) }
  }

  /// Processes a reply line of the server, and records it if it is an error.
  func received(_ line: UnsafeRawBufferPointer) {
    guard line.count >= 4, line[3] == UInt8(ascii: " "), line[0] == UInt8(ascii: "4") || line[0] == UInt8(ascii: "5") else { return }
    var count = line.count
    while count > 0, line[count - 1] <= 0x20 { count -= 1 }
    refusal = String(decoding: line[..<count], as: UTF8.self)
  }
}
