import CNetlink
import Glibc

/// A socket to the kernel's routing subsystem. The socket is closed when the last reference to this object is released.
final class NetlinkSocket: Sendable {
  let descriptor: Int32

  /// Opens a socket.
  ///
  /// - Parameter groups: A bit set of the groups whose messages about network changes are received; 0 for a socket that only sends queries.
  init(groups: UInt32 = 0) throws(ReachabilityError) {
    descriptor = socket(AF_NETLINK, Int32(SOCK_RAW.rawValue) | Int32(SOCK_CLOEXEC.rawValue), garland_netlink_route)
    guard descriptor >= 0 else { throw ReachabilityError("the kernel's routes can't be requested: \(systemMessage(errno))") }
    var address = sockaddr_nl(nl_family: UInt16(AF_NETLINK), nl_pad: 0, nl_pid: 0, nl_groups: groups)
    let size = socklen_t(MemoryLayout<sockaddr_nl>.size)
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
    }
    guard status == 0 else { throw ReachabilityError("the kernel's routes can't be followed: \(systemMessage(errno))") }
    // The kernel responds during the call. The timeout is only a precaution.
    var patience = timeval(tv_sec: 2, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(descriptor) }

  /// Sends a query to the kernel and returns the response: all messages of a list if `isList` is true, otherwise one message.
  func ask(_ request: [UInt8], isList: Bool) throws(ReachabilityError) -> [NetlinkMessage] {
    guard send(descriptor, request, request.count, 0) == request.count else {
      throw ReachabilityError("the kernel's routes can't be requested: \(systemMessage(errno))")
    }
    var answer: [NetlinkMessage] = []
    while true {
      guard let messages = receive(flags: 0) else {
        throw ReachabilityError("the kernel does not report its routes: \(systemMessage(errno))")
      }
      for message in messages {
        switch message {
        case .done: return answer
        case .failure where isList: throw ReachabilityError("the kernel does not list its routes")
        default: answer.append(message)
        }
      }
      if !isList, !answer.isEmpty { return answer }
    }
  }

  /// Reads all available messages. Returns true if the network has changed, or may have changed.
  func drain() -> Bool {
    var isChanged = false
    while true {
      if let messages = receive(flags: Int32(MSG_DONTWAIT)) {
        if messages.contains(where: \.isChange) { isChanged = true }
      } else if errno == ENOBUFS {
        // Messages were lost for lack of room.
        isChanged = true
      } else if errno != EINTR {
        return isChanged
      }
    }
  }

  private func receive(flags: Int32) -> [NetlinkMessage]? {
    var count = 0
    // The maximum size of the kernel's datagrams for lists.
    let bytes = [UInt8](unsafeUninitializedCapacity: 32 << 10) { buffer, initialized in
      count = recv(descriptor, buffer.baseAddress, buffer.count, flags)
      initialized = max(0, count)
    }
    return count < 0 ? nil : NetlinkReader.messages(in: bytes)
  }
}
