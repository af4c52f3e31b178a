import GarlandDiagnostics
import Testing

@testable import GarlandWorkflow

/// Tests of the names that the entries of a step's `talk` can use.
@Suite struct TalkDecodingTests {
  private static func diagnostics(_ talk: String) -> [Diagnostic] {
    Decode.document("garland: 1\nsteps:\n  w:\n    websocket: ws://h/\n    talk:\n\(talk)\n").diagnostics.all
  }

  private static let receive = "      - receive: { extract: { room: $.room } }"

  @Test func `in the 'talk' list of a WebSocket step, a message can use an extract of an earlier message`() {
    #expect(Self.diagnostics("\(Self.receive)\n      - send: { text: 'join ${room}' }").isEmpty)
  }

  @Test func `in the 'talk' list of a WebSocket step, a message that uses an extract of a later message is an error`() throws {
    let found = Self.diagnostics("      - send: { text: 'join ${room}' }\n\(Self.receive)")
    try #require(found.count == 1)
    #expect(found[0].severity == .error && found[0].message == "`room` is used before it is extracted")
    #expect(found[0].helps.map(\.message) == ["`talk[1].receive` extracts it: write `talk[0]` after that entry"])
  }

  @Test func `in the 'talk' list of a WebSocket step, a message can't use its own extract`() {
    let found = Self.diagnostics("      - receive: { matching: \"${message.json.id == room}\", extract: { room: $.room } }")
    #expect(found.map(\.message) == ["`room` is used before it is extracted"])
  }

  @Test func `in the 'talk' list of a WebSocket step, an expression with a default value can use an extract of a later message`() {
    #expect(Self.diagnostics("      - send: { text: \"${room ?? 'none'}\" }\n\(Self.receive)").isEmpty)
  }

  @Test func `in a 'talk' list, the help for a misspelt name suggests a value that an earlier entry extracts`() {
    let found = Self.diagnostics("\(Self.receive)\n      - send: { text: '${room} ${rom}' }")
    #expect(found.map(\.message) == ["`rom` is not defined"])
    #expect(found.first?.helps.map(\.message) == ["did you mean `room`?"])
    #expect(found.first?.helps.first?.fix?.replacement == "room")
  }
}
