import GarlandText

/// A connection to the server of a listening step. One request arrives on the connection. Only the server's thread uses the connection.
final class ListenConnection {
  let descriptor: Int32
  let port: Int
  var parser: RequestParser
  var output: [UInt8] = []
  /// The time at which the connection is closed if its client sends nothing until then.
  var deadline: ContinuousClock.Instant
  /// Whether the response has been added to ``output``, or sent.
  private(set) var isAnswered = false
  /// The received request, or the reason why the request is invalid. Nil before the request has arrived. Nil again after the server has
  /// sent the response and passed the request to the run.
  var arrival: ListenServer.Arrival?

  init(_ descriptor: Int32, port: Int, _ limits: RequestParser.Limits, deadline: ContinuousClock.Instant) {
    self.descriptor = descriptor
    self.port = port
    parser = RequestParser(limits: limits)
    self.deadline = deadline
  }

  var isWriting: Bool { !output.isEmpty }

  /// Adds a response without a body, which consists only of a status, to the output of the connection.
  func answer(_ status: Int) {
    isAnswered = true
    output += Array("HTTP/1.1 \(status) \(StatusPhrase.of(status) ?? "")\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8)
  }
}
