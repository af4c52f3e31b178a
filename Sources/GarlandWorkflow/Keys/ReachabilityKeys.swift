/// The keys of the mapping `reachability:`.
enum ReachabilityKey: String, DocumentKey {
  case preflight, wait
  static let table = KeyTable<ReachabilityKey>("`reachability`")

  var info: KeyInfo {
    switch self {
    case .preflight:
      KeyInfo(
        .flag, "Checks every host that is known before the run (DNS, TCP, TLS) before anything is sent. Default: false.", "true")
    case .wait: KeyInfo(.duration, "The longest wait for the hosts to become reachable; with `preflight`.", "60s")
    }
  }
}
