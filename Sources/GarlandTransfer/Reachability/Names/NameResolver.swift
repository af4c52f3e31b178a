import Glibc

/// Looks up names with the system's resolver, `getaddrinfo`, which may block for an unlimited time.
///
/// Therefore, lookups run on their own threads, and not on the engine's thread or the threads of tasks. When the time limit of a caller is
/// reached, the caller continues without a result, while the thread stays blocked until the resolver returns.
final class NameResolver: Sendable {
  static let shared = NameResolver()

  let files: ResolverFiles
  private let question: NameserverQuestion
  private let system: @Sendable (String, AddressFamily) -> SystemAnswer
  private let lookups = ThreadQueue(name: "garland-names", limit: 32)
  /// The threads that query nameservers directly; each query ends within a known time. Lookups of the system's resolver run on other
  /// threads, so that blocked lookups do not delay the queries.
  private let questions = ThreadQueue(name: "garland-dns", limit: 8)

  enum SystemAnswer: Sendable {
    case addresses([IPAddress])
    case failure(code: Int32, number: Int32)
  }

  /// Creates a resolver.
  ///
  /// - Parameter system: The system's resolver. Tests replace it.
  init(
    files: ResolverFiles = ResolverFiles(), question: NameserverQuestion = NameserverQuestion(),
    system: @escaping @Sendable (String, AddressFamily) -> SystemAnswer = NameResolver.ask
  ) {
    self.files = files
    self.question = question
    self.system = system
  }

  /// Looks up the addresses of a name.
  ///
  /// - Parameter limit: The time limit; nil for the system's own limit.
  func lookUp(_ name: String, family: AddressFamily = .any, limit: Duration? = nil) async -> NameLookup {
    if let address = IPAddress(name) {
      return NameLookup(name: name, outcome: .success([address]), source: .literal, duration: .zero)
    }
    let begun = MonotonicClock.now
    let slot = ResultSlot<Result<[IPAddress], NameFailure>>()
    lookups.run { [self] in slot.fill(answer(to: name, family)) }
    let patience = limit.map { limit in
      Task {
        guard (try? await Task.sleep(for: limit, clock: .continuous)) != nil else { return }
        // The query takes extra time, but the responses of the nameservers tell the caller the reason.
        questions.run { [self] in slot.fill(.failure(failure(name, .timedOut(limit)))) }
      }
    }
    let outcome = await withTaskCancellationHandler {
      await slot.value()
    } onCancel: {
      slot.fill(.failure(NameFailure(name: name, kind: .cancelled, testimonies: [])))
    }
    patience?.cancel()
    return NameLookup(
      name: name, outcome: outcome, source: files.isInHosts(name) ? .hosts(files.hostsPath) : .nameservers(files.nameservers),
      duration: .nanoseconds(Int64(MonotonicClock.now &- begun)))
  }

  // MARK: On a thread

  private func answer(to name: String, _ family: AddressFamily) -> Result<[IPAddress], NameFailure> {
    guard let ascii = HostName.ascii(name[...]) else { return .failure(NameFailure(name: name, kind: .invalid, testimonies: [])) }
    switch system(ascii, family) {
    case .addresses(let addresses):
      return addresses.isEmpty ? .failure(failure(name, .noAddress)) : .success(addresses)
    case .failure(let code, let number):
      switch code {
      case EAI_NONAME: return .failure(failure(name, .notFound))
      case Self.noData: return .failure(failure(name, .noAddress))
      case EAI_AGAIN: return .failure(failure(name, .unanswered))
      case EAI_SYSTEM: return .failure(failure(name, .other(systemMessage(number))))
      default: return .failure(failure(name, .other(String(cString: gai_strerror(code)))))
      }
    }
  }

  private func failure(_ name: String, _ kind: NameFailure.Kind) -> NameFailure {
    let ascii = HostName.ascii(name[...]) ?? name
    return NameFailure(
      name: name, kind: kind, testimonies: question.testimonies(of: files.nameservers, on: files.qualified(ascii)))
  }

  /// The error EAI_NODATA of glibc: the name exists but has no suitable address. The error EAI_ADDRFAMILY (``wrongFamily``) has the same
  /// meaning. glibc's header hides both constants, so they are defined here.
  private static let noData: Int32 = -5
  private static let wrongFamily: Int32 = -9

  private static func ask(_ name: String, _ family: AddressFamily) -> SystemAnswer {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_family = family == .ipv4 ? AF_INET : family == .ipv6 ? AF_INET6 : AF_UNSPEC
    var found: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(name, nil, &hints, &found)
    guard code == 0 else { return .failure(code: code == wrongFamily ? noData : code, number: errno) }
    defer { freeaddrinfo(found) }
    var addresses: [IPAddress] = []
    var next = found
    while let info = next?.pointee {
      if let address = address(of: info), !addresses.contains(address) { addresses.append(address) }
      next = info.ai_next
    }
    return .addresses(addresses)
  }

  private static func address(of info: addrinfo) -> IPAddress? {
    guard let pointer = info.ai_addr else { return nil }
    switch info.ai_family {
    case AF_INET:
      return pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { address in
        withUnsafeBytes(of: address.pointee.sin_addr) { IPAddress(bytes: $0) }
      }
    case AF_INET6:
      return pointer.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { address in
        withUnsafeBytes(of: address.pointee.sin6_addr) { IPAddress(bytes: $0) }
      }
    default: return nil
    }
  }
}
