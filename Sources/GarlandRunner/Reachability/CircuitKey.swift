import GarlandTransfer

/// The properties of steps whose requests would fail in the same way: the origin, and the settings of the connection to it.
struct CircuitKey: Hashable, Sendable {
  let origin: Int
  private let proxy: ProxySetting
  private let resolve: [ResolveOverride]
  private let connectTo: [ConnectOverride]
  private let unixSocket: String?
  private let interface: String?
  private let addressFamily: AddressFamily
  private let tls: TLSSettings

  init(origin: Int, _ settings: TransferSettings) {
    self.origin = origin
    proxy = settings.proxy
    resolve = settings.resolve
    connectTo = settings.connectTo
    unixSocket = settings.unixSocket
    interface = settings.interface
    addressFamily = settings.addressFamily
    tls = settings.tls
  }
}
