import GarlandNetworking
import TestSupport
import Testing

/// Tests received lengths that no body can have.
@Suite(.timeLimit(.minutes(15))) struct AnnouncedLengthTests {
  private func answer(_ fields: String, body: String = "hello world") async throws -> (error: NetworkingError?, body: [UInt8]?) {
    let server = try RawServer { connection in
      guard connection.readRequest() != nil else { return }
      connection.send("HTTP/1.1 200 OK\r\nConnection: close\r\n\(fields)\r\n\r\n\(body)")
    }
    let response = await Session(.ephemeral).request(server.url).response()
    return (response.error, response.data)
  }

  @Test(arguments: [
    "99999999999999999999999", "9223372036854775808", "-1", "+11", "", "0x0b", "11.0", "1e1", "11 11", "11;", "11,", "eleven",
    "11, 12", "11\r\nContent-Length: 12",
  ]) func `an invalid Content-Length of a response with a body fails the transfer`(length: String) async throws {
    let (error, _) = try await answer("Content-Length: \(length)")
    #expect(error?.reason.kind == .invalidResponse, "\(String(describing: error))")
  }

  @Test(arguments: ["11", "0011", "11, 11", "11\r\nContent-Length: 11"])
  func `a Content-Length that is repeated with the same value is accepted`(length: String) async throws {
    let (error, body) = try await answer("Content-Length: \(length)")
    #expect(error == nil)
    #expect(body.map { String(decoding: $0, as: UTF8.self) } == "hello world")
  }

  @Test(arguments: ["-5", "+5", "0x5", "", "8000000000000000", "FFFFFFFFFFFFFFFF", "10000000000000005"])
  func `a response chunk with an invalid size fails the transfer`(size: String) async throws {
    let (error, _) = try await answer("Transfer-Encoding: chunked", body: "\(size)\r\nhello\r\n0\r\n\r\n")
    #expect(error != nil)
  }

  @Test(arguments: ["HEAD", "204", "304"]) func `an invalid Content-Length is ignored if the response has no body`(_ what: String)
    async throws
  {
    let server = try RawServer { connection in
      guard connection.readRequest() != nil else { return }
      connection.send("HTTP/1.1 \(what == "HEAD" ? "200" : what) X\r\nConnection: close\r\nContent-Length: 99999999999999999999999\r\n\r\n")
    }
    let response = await Session(.ephemeral).request(server.url, method: what == "HEAD" ? .head : .get).response()
    #expect(response.error == nil)
  }
}
