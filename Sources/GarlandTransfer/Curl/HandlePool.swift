import CCurl

/// An engine's libcurl handles: the multi handle, the TLS sessions that new connections resume, and the easy handles, which are kept and
/// reset between uses.
///
/// libcurl may call back during any operation, and the callback may access any property. Therefore this type is a class: a mutating method
/// of a structure would have exclusive access to all properties. No code calls libcurl while it modifies a property.
final class HandlePool {
  let configuration: EngineConfiguration
  private(set) var multi: OpaquePointer?
  /// The share handle for TLS sessions. Without it each easy handle would keep its own sessions.
  private var sessions: OpaquePointer?
  private var idle: [EasyHandle] = []
  /// The number of easy handles, both idle and in use.
  private(set) var count = 0
  /// The number of streams, such as WebSockets, whose connection is open or being opened.
  private var streams = 0

  private static let mostIdle = 256

  init(configuration: EngineConfiguration) {
    self.configuration = configuration
  }

  /// Returns the multi handle. Creates it on first use.
  func open() throws(NetworkingError) -> OpaquePointer {
    if let multi { return multi }
    _ = try CurlLibrary.shared.get()
    guard let made = curl_multi_init() else { throw NetworkingError(.library(code: 0, detail: "no memory for a multi handle")) }
    garland_multi_setopt_long(made, CURLMOPT_MAXCONNECTS, max(1, configuration.idleConnections))
    garland_multi_setopt_long(made, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
    multi = made
    limitConnections()
    sessions = curl_share_init()
    if let sessions { garland_share_tls_sessions(sessions) }
    return made
  }

  /// Raises libcurl's limit of connections to one origin by one. Call this method before a connection for a stream (such as a WebSocket) is
  /// opened. So streams do not reduce the number of connections for other transfers.
  func addStream() {
    streams += 1
    limitConnections()
  }

  /// Lowers libcurl's limit of connections to one origin by one. Call it when the connection of a stream has ended.
  func removeStream() {
    streams -= 1
    limitConnections()
  }

  /// Sets libcurl's limit of connections to one origin: the configured limit plus the number of all streams (such as WebSockets) that are
  /// open or being opened. If no limit is configured, libcurl gets no limit.
  ///
  /// libcurl counts the connections of streams too. When the limit is reached, libcurl closes the oldest connection that no transfer uses.
  /// Without the addition, libcurl could close a connection that was just opened for a stream and has not sent anything yet.
  private func limitConnections() {
    guard let multi else { return }
    let limit = configuration.connectionsPerOrigin
    garland_multi_setopt_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, limit > 0 ? limit + streams : 0)
  }

  func take() throws(NetworkingError) -> EasyHandle {
    if let handle = idle.popLast() { return handle }
    guard let handle = EasyHandle() else { throw NetworkingError(.library(code: 0, detail: "no memory for an easy handle")) }
    count += 1
    // A reset keeps this option. No locks are needed: the handles belong to this thread.
    if let sessions { garland_setopt_share(handle.handle, sessions) }
    return handle
  }

  /// Removes a handle from the multi handle and keeps it for a later transfer.
  func giveBack(_ easy: EasyHandle) {
    if let multi { curl_multi_remove_handle(multi, easy.handle) }
    // Keep the setup for a plain request, since the next request will most likely be plain too.
    if easy.plainUse == nil { easy.reset() }
    if idle.count < Self.mostIdle { idle.append(easy) } else { close(easy) }
  }

  private func close(_ easy: EasyHandle) {
    easy.close()
    count -= 1
  }

  /// Frees all handles. No handle may be in use.
  func close() {
    for handle in idle { close(handle) }
    idle.removeAll()
    assert(count == 0, "\(count) easy handles were not given back")
    if let multi { curl_multi_cleanup(multi) }
    multi = nil
    if let sessions { curl_share_cleanup(sessions) }
    sessions = nil
  }
}
