import Foundation
import TestSupport
import Testing
import TransferTestSupport

@testable import GarlandRunner

/// Tests WebSocket steps with servers of other projects.
@Suite(.timeLimit(.minutes(15))) struct ForeignTalkTests {
  /// Messages of text, JSON and bytes, of the size of one frame and of many, which the server echoes.
  private static let talk = """
    subprotocols: [other, echo.v1]
        talk:
          - send: { text: "" }
          - receive: { type: text, text: "" }
          - send: { json: { a: "${vars.long}" } }
          - receive: { json: { $.a: "${vars.long}" }, extract: { a: $.a } }
          - send: { base64: AAECAwT/ }
          - receive: { type: binary, that: "${message.base64 == 'AAECAwT/'}" }
          - send: { text: "${a}" }
          - receive: { text: "${vars.long}" }
          - close: { code: 4000, reason: done }
        expect: { headers: { Sec-WebSocket-Protocol: echo.v1 }, messages: { length: 4 } }
    """

  /// Runs a step that exchanges the messages with a server, if a proxy is given through this proxy.
  private static func carryOut(
    _ url: String, through proxy: TunnelProxy?, _ more: String = "", in folder: TemporaryFolder? = nil
  ) async throws -> TestRun {
    let long = String(repeating: "wörld 😀 ", count: 10_000)
    let settings = more + (proxy.map { "proxy: '\($0.url)'\n    " } ?? "")
    return try await TestRun.carryOut(
      "garland: 1\nvars: { long: '\(long)' }\nsteps:\n  s:\n    websocket: '\(url)'\n    \(settings)\(talk)\n", folder: folder)
  }

  @Test(arguments: WebSocketServer.Library.allCases, [false, true])
  func `a WebSocket step without TLS exchanges messages with a third-party server, also through a proxy`(
    _ library: WebSocketServer.Library, _ isProxied: Bool
  ) async throws {
    let port = try WebSocketServer.shared(library).port
    let proxy = try TunnelProxy(to: port)
    let run = try await Self.carryOut("ws://127.0.0.1:\(port)/", through: isProxied ? proxy : nil)
    #expect(run.outcomes == ["s passed"], "\(run.results.flatMap(\.failures).map(\.message))")
    #expect(proxy.heads.count == (isProxied ? 1 : 0))
  }

  @Test(arguments: [false, true])
  func `a WebSocket step over TLS exchanges messages with a third-party server, also through a proxy`(_ isProxied: Bool) async throws {
    let (server, certificates) = try WebSocketServer.sharedSecure()
    let proxy = try TunnelProxy(to: server.port)
    let folder = try TemporaryFolder()
    try FileManager.default.copyItem(atPath: certificates.authority, toPath: folder.path + "/ca.pem")
    let run = try await Self.carryOut(
      "wss://localhost:\(server.port)/", through: isProxied ? proxy : nil, "tls: { ca: ca.pem }\n    ", in: folder)
    #expect(run.outcomes == ["s passed"], "\(run.results.flatMap(\.failures).map(\.message))")
    #expect(proxy.heads.count == (isProxied ? 1 : 0))
  }

  @Test(arguments: WebSocketServer.Library.allCases)
  func `if a third-party WebSocket server closes the connection, the failure contains the server's code and reason`(
    _ library: WebSocketServer.Library
  ) async throws {
    let port = try WebSocketServer.shared(library).port
    let run = try await TestRun.carryOut(
      "garland: 1\nsteps: { s: { websocket: 'ws://127.0.0.1:\(port)/close', talk: [receive: { text: hello }] } }\n")
    #expect(
      try run.result("s").failures.map(\.message) == [
        "0 messages arrived before the server closed the connection with the code 4001 and the reason \"as you wish\", expected 1"
      ])
  }
}
