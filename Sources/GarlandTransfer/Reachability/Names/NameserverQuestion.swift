import Glibc

/// Queries nameservers directly over UDP to find out how each nameserver responds. The queries block, so they need their own
/// thread.
struct NameserverQuestion {
  /// The time limit for the responses of all nameservers together.
  var patience = Duration.seconds(2)
  var port: UInt16 = 53
  var random: @Sendable () -> UInt16 = { UInt16.random(in: .min ... .max) }

  /// Returns the responses of the nameservers, in the order of `servers`.
  func testimonies(of servers: [String], on name: String) -> [NameserverTestimony] {
    let id = random()
    guard let question = DNSMessage.question(name, id: id) else { return [] }
    var verdicts: [NameserverTestimony.Verdict?] = []
    var entries: [pollfd] = []
    for server in servers {
      let (descriptor, refusal) = ask(server, question)
      verdicts.append(refusal.map { .unreachable(systemMessage($0)) })
      // poll ignores a negative descriptor.
      entries.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
    }
    defer { for entry in entries where entry.fd >= 0 { close(entry.fd) } }
    let end = MonotonicClock.now &+ patience.nanoseconds
    while verdicts.contains(nil) {
      let now = MonotonicClock.now
      guard now < end else { break }
      let count = poll(&entries, nfds_t(entries.count), Int32((end - now + 999_999) / 1_000_000))
      if count < 0, errno != EINTR { break }
      for index in entries.indices where entries[index].revents != 0 && verdicts[index] == nil {
        verdicts[index] = verdict(from: entries[index].fd, id: id)
        if verdicts[index] != nil {
          close(entries[index].fd)
          entries[index].fd = -1
        }
      }
    }
    return zip(servers, verdicts).map { NameserverTestimony(server: $0, verdict: $1 ?? .silent(patience)) }
  }

  /// Sends the query. Returns the connected socket; if the query cannot be sent, returns -1 and the error number.
  private func ask(_ server: String, _ question: [UInt8]) -> (Int32, refusal: Int32?) {
    var hints = addrinfo()
    hints.ai_flags = AI_NUMERICHOST
    hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(server, String(port), &hints, &found) == 0, let info = found else { return (-1, EINVAL) }
    defer { freeaddrinfo(info) }
    let type = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    let descriptor = socket(info.pointee.ai_family, type, 0)
    guard descriptor >= 0 else { return (-1, errno) }
    guard connect(descriptor, info.pointee.ai_addr, info.pointee.ai_addrlen) == 0,
      send(descriptor, question, question.count, Int32(MSG_NOSIGNAL)) == question.count
    else {
      let number = errno
      close(descriptor)
      return (-1, number)
    }
    return (descriptor, nil)
  }

  private func verdict(from descriptor: Int32, id: UInt16) -> NameserverTestimony.Verdict? {
    var status = 0
    let answer = [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
      status = recv(descriptor, buffer.baseAddress, buffer.count, 0)
      count = max(0, status)
    }
    if status < 0 { return errno == EAGAIN || errno == EINTR ? nil : .unreachable(systemMessage(errno)) }
    return DNSMessage.verdict(of: answer, id: id)
  }
}
