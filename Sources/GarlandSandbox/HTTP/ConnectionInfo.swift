/// The connection that a request came on.
struct ConnectionInfo: Hashable, Sendable {
  /// Numbered from 1 in the order of acceptance.
  let id: Int
  let localPort: Int
  let peerAddress: String
  let peerPort: Int
  /// 1 for the first request on the connection.
  var requestNumber = 0
}
