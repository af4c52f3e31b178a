/// The connection of a request.
struct ConnectionInfo: Hashable, Sendable {
  /// The number of the connection, from 1, in the order of acceptance.
  let id: Int
  let localPort: Int
  let peerAddress: String
  let peerPort: Int
  /// The number of the request on its connection, from 1.
  var requestNumber = 0
}
