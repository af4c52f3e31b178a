import GarlandJSON
import Testing

@testable import GarlandSandbox

@Suite struct RouteTableTests {
  @Test func `the index of the sandbox lists every route, each with a description`() async throws {
    try await withSandbox { sandbox in
      let routes = try #require(try sandbox.get("/").json["routes"]?.arrayValue)
      #expect(routes.count == AllRoutes.routes.count)
      for route in routes {
        #expect(route["description"]?.stringValue?.isEmpty == false)
        #expect(route["path"]?.stringValue?.hasPrefix("/") == true)
      }
    }
  }

  /// A route that an earlier route hides could never be reached.
  @Test func `each route of the sandbox can be reached, because no earlier route matches the same requests`() throws {
    let router = Router(AllRoutes.routes)
    let connection = ConnectionInfo(id: 1, localPort: 1, peerAddress: "127.0.0.1", peerPort: 1)
    for route in AllRoutes.routes {
      let path =
        "/"
        + route.pattern.pieces.map { piece in
          switch piece {
          case .literal(let text): text
          case .placeholder, .rest: "0"
          }
        }.joined(separator: "/")
      for method in route.methods.isEmpty ? ["GET", "POST"] : route.methods {
        let request = SandboxRequest(
          sequence: 1, method: method, target: path, version: "1.1", headers: [], connection: connection, arrived: .zero)
        #expect(try router.match(request).route.summary == route.summary, "\(method) \(path)")
      }
    }
  }

  @Test func `a sandbox route matches a path only if each placeholder has a value and no segment is left over`() {
    #expect(RoutePattern("/a/{b}/c").match(["a", "x", "c"]) == ["b": "x"])
    #expect(RoutePattern("/a/{b}").match(["a", ""]) == nil)
    #expect(RoutePattern("/a/{b}").match(["a", "x", ""]) == nil)
    #expect(RoutePattern("/a/{b...}").match(["a", "x", "y"]) == ["b": "x/y"])
    #expect(RoutePattern("/a/{b...}").match(["a"]) == nil)
    #expect(RoutePattern("/").match([""]) == [:])
  }
}
