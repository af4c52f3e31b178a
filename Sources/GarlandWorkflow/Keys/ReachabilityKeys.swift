/// The keys of `reachability:`.
enum ReachabilityKey: String, DocumentKey {
  case preflight, wait
  static let table = KeyTable<ReachabilityKey>("`reachability`")

  var info: KeyInfo {
    switch self {
    case .preflight:
      KeyInfo(
        .flag, "Looks for every host that is known beforehand (DNS, TCP, TLS) before anything is sent. Default: false.", "true")
    case .wait: KeyInfo(.duration, "How long to wait for them to come up; with `preflight`.", "60s")
    }
  }
}
