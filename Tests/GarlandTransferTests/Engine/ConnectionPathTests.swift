import GarlandTransfer
import Glibc
import TestSupport
import Testing
import TransferTestSupport

/// Tests the source and destination of connections.
@Suite(.timeLimit(.minutes(15))) struct ConnectionPathTests {
  let engine = Engine()

  private func error(_ url: String, _ change: (inout TransferSettings) -> Void) async -> NetworkingError? {
    var request = TransferRequest(url: url)
    change(&request.settings)
    let made = request
    return await #expect(throws: NetworkingError.self) { try await engine.response(for: made) }
  }

  /// The server must see the request's source address: 127.0.0.2 or another configured address of this machine.
  @Test(arguments: ["127.0.0.1", "127.0.0.2", "lo"]) func `a request uses the configured local address or interface`(_ interface: String)
    async throws
  {
    let httpbin = try HTTPBinServer.shared()
    var request = TransferRequest(url: httpbin.url + "/ip")
    request.settings.interface = interface
    let text = String(decoding: try await engine.response(for: request).bytes, as: UTF8.self)
    #expect(text.contains("\"\(interface == "lo" ? "127.0.0.1" : interface)\""))
  }

  @Test func `if a request's network interface or local address does not exist, the error counts the host as unreachable`() async throws {
    let httpbin = try HTTPBinServer.shared()
    for interface in ["garland-none0", "203.0.113.7"] {
      let error = await error(httpbin.url + "/ip") { $0.interface = interface }
      #expect(error?.isUnreachable == true, "\(String(describing: error))")
    }
  }

  /// nginx listens on 127.0.0.1 and ::1; the test's own server listens only on 127.0.0.1.
  @Test func `a request uses only the configured IP version`() async throws {
    let server = try TrustServer.shared()
    for (family, address) in [(AddressFamily.ipv4, "127.0.0.1"), (.ipv6, "::1")] {
      var request = TransferRequest(url: server.url(.server))
      request.settings.tls.authorities = server.file("root.pem")
      request.settings.addressFamily = family
      let response = try await engine.response(for: request)
      #expect(response.metrics.transactions.last?.remoteAddress == address)
    }
    let plain = try PlainServer("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    let error = await error(plain.url.replacing("127.0.0.1", with: "localhost")) { $0.addressFamily = .ipv6 }
    #expect(error?.isUnreachable == true, "\(String(describing: error))")
  }

  @Test func `a request fails as unreachable if 'unixSocket', 'resolve' or 'connectTo' sets an address without a server`() async throws {
    let folder = try TemporaryFolder()
    let socket = await error("http://shop.invalid/") { $0.unixSocket = folder.path + "/none" }
    #expect(socket?.isUnreachable == true, "\(String(describing: socket))")
    let nobody = ReservedPort()
    defer { withExtendedLifetime(nobody) {} }
    let resolved = await error("http://shop.invalid:\(nobody.number)/") {
      $0.resolve = [ResolveOverride(host: "shop.invalid", port: Int(nobody.number), addresses: ["127.0.0.1"])]
    }
    #expect(resolved?.reason == .refused(host: "shop.invalid", port: Int(nobody.number)))
    let elsewhere = await error("http://shop.invalid/") {
      $0.connectTo = [ConnectOverride(toHost: "127.0.0.1", toPort: Int(nobody.number))]
    }
    #expect(elsewhere?.isUnreachable == true, "\(String(describing: elsewhere))")
  }
}
