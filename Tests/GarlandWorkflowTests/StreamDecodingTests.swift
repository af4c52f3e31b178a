import TestSupport
import Testing

@testable import GarlandWorkflow

@Suite struct StreamDecodingTests {
  static let mistakes: [(name: String, lines: String)] = [
    ("events without a value", "get: /x\nevents:"), ("events with a number", "get: /x\nevents: 3"),
    ("events with false", "get: /x\nevents: false"),
    ("a mistyped key of events", "get: /x\nevents: {untill: '${event.data == ''x''}'}"),
    ("an until condition that uses no event", "get: /x\nevents: {until: true}"),
    ("a mistyped member of an event", "get: /x\nevents: {until: \"${event.dat == 'x'}\"}"),
    ("an event without a member as a condition", "get: /x\nevents: {until: '${event}'}"),
    ("impossible numbers of events", "get: /x\nevents: {count: 0, keep: -1, reconnect: -2}"),
    ("reconnect without a condition that ends the stream", "get: /x\nevents: {reconnect: 3}"),
    ("each without an expectation", "get: /x\nevents: {each: {}}"),
    ("a mistyped expectation under each", "get: /x\nevents: {each: {dat: x}}"),
    (
      "events beside download, poll and paginate",
      "get: /x\nevents: true\ndownload: a\npoll: {until: '${response.status == 200}'}\npaginate: {link: true}"
    ),
    ("events with expectations of the whole body", "get: /x\nevents: true\nexpect: {json: {$.a: 1}, body: x, sha256: {file: a}}"),
    ("events with extracts of the whole body", "get: /x\nevents: true\nextract: {a: $.a, b: {regex: x}, c: {header: X}}"),
    ("events with the whole body in an expression", "get: /x\nevents: true\nexpect: {that: '${response.json.a == 1}'}"),
    ("expected events of a step without events", "get: /x\nexpect: {events: {length: 1}, time_to_first_event: {lt: 1s}}"),
    (
      "an extract with the name of the list of events",
      "get: /x\nevents: true\nextract: {events: '${response.events | length}', lines: {header: X}}"
    ),
    ("an extract with the name of the list of messages", "websocket: /x\ntalk: [receive: {extract: {messages: $.a}}]"),
    ("a base URL of a WebSocket connection", "websocket: /x\nbase_url: wss://${vars.host}/v1"),
    ("events in an expression of a step without events", "get: /x\nexpect: {that: '${response.events | length == 1}'}"),
    ("an event outside of `until`", "get: /x\nevents: true\nexpect: {that: '${event.data == 1}'}"),
    ("lines beside events", "get: /x\nevents: true\nlines: true"), ("lines that reconnect", "get: /x\nlines: {count: 1, reconnect: 2}"),
    ("an undefined member of a line", "get: /x\nlines: {until: \"${line.data == 'x'}\"}"),
    ("the name event in a line stream", "get: /x\nlines: {until: \"${event.data == 'x'}\"}"),
    ("expected events of a line stream", "get: /x\nlines: true\nexpect: {events: {length: 1}, that: '${response.events[0]}'}"),
    ("parts beside events", "get: /x\nparts: true\nevents: true"), ("parts that reconnect", "get: /x\nparts: {count: 1, reconnect: 2}"),
    ("an undefined member of a part", "get: /x\nparts: {until: \"${part.data == 'x'}\"}"),
    ("an index of the headers of a part", "get: /x\nparts: {until: \"${part.headers[0] == 'x'}\"}"),
    ("each without an expectation of a part", "get: /x\nparts: {each: {}}"),
    ("a mistyped expectation of a part under each", "get: /x\nparts: {each: {typ: x}}"),
    ("an until condition that uses no part", "get: /x\nparts: {until: true}"),
    ("parts with expectations of the whole body", "get: /x\nparts: true\nexpect: {json: {$.a: 1}, body: x}\nextract: {a: $.a}"),
    ("parts with the whole body in an expression", "get: /x\nparts: true\nexpect: {that: '${response.text == 1}'}"),
    ("events beside listen", "listen: /hook\nevents: true"), ("events beside reach", "reach: db:5432\nevents: true"),
    ("a time limit of events without a unit", "get: /x\nevents: {within: 3}"),
    ("an exact time to the first event", "get: /x\nevents: true\nexpect: {time_to_first_event: 3s}"),
  ]

  @Test func `each mistake in the stream settings of a step gives the error message in the golden file`() {
    expectGolden(MistakesTests.render(Self.mistakes), "streams.txt")
  }

  @Test(arguments: [
    ("reach: 'h:1', talk: [send: { text: a }]", "`talk` can't be used with `reach`, which sends no request"),
    ("websocket: 'ws://h/', within: 1s", "`within` can't be used with `websocket`, which opens a connection for messages"),
    ("get: 'http://h/', within: 1s", "`within` sets how long `reach` waits, but the step has no `reach`"),
    ("get: 'http://h/', talk: [send: { text: a }]", "`talk` is for messages of a `websocket`, but the step has no `websocket`"),
  ])
  func `if a step has a key that only another kind of step allows, there is a single error`(_ step: String, _ message: String) {
    #expect(Decode.document("garland: 1\nsteps: { s: { \(step) } }\n").diagnostics.all.map(\.message) == [message])
  }

  @Test func `a WebSocket close reason of more than 123 bytes is refused`() {
    let reason = String(repeating: "ä", count: 62)
    let document = "garland: 1\nsteps: { s: { websocket: 'ws://h/', talk: [close: { reason: '\(reason)' }] } }\n"
    #expect(Decode.document(document).diagnostics.all.contains { $0.message == "a reason has at most 123 bytes, found 124" })
  }

  @Test(arguments: ["events", "lines", "parts"], ["poll: { until: '${response.status == 200}' }", "paginate: { link: true }"])
  func `a step that reads a stream is refused if it inherits 'poll' or 'paginate' and doesn't set the key to null`(
    _ stream: String, _ other: String
  )
    throws
  {
    let key = try #require(other.split(separator: ":").first)
    func document(_ rest: String) -> String {
      "garland: 1\ndefaults: { base_url: 'http://h', \(other) }\nsteps:\n  s: { get: /x, \(stream): true\(rest) }\n"
    }
    let refused = Decode.document(document("")).diagnostics
    let found = try #require(refused.all.first { $0.severity == .error })
    #expect(found.message == "`\(stream)` can't be used with `\(key)` of the defaults, which sends the request again")
    #expect(found.helps.contains { $0.message.contains("\(key): null") })
    #expect(!Decode.document(document(", \(key): null")).diagnostics.hasErrors)
  }

  private static func step(_ events: String, _ rest: String = "") throws -> Step {
    let text = "garland: 1\ndefaults: { base_url: 'http://h' }\nsteps:\n  event: { get: /y }\n  s: { get: /x, events: \(events)\(rest) }\n"
    return try #require(try DecodingTests.workflow(text).step("s"))
  }

  @Test func `in an 'until' condition of a stream, 'event' is the current event and not a step with the ID 'event'`() throws {
    let step = try Self.step("{ until: \"${event.json == 1}\" }")
    #expect(step.references.isEmpty)
    #expect(step.request?.stream?.until != nil)
  }

  @Test func `if a step checks only how many events an event stream has, the events are not kept in memory`() throws {
    #expect(!(try Self.step("true", ", expect: { events: { length: { gte: 3 }, empty: false } }").neededByItself.contains(.items)))
    #expect(try Self.step("true", ", expect: { events: { length: 3, any: { exists: true } } }").neededByItself.contains(.items))
  }

  @Test func `for expectations under 'each', neither the events nor the body of a stream is kept in memory`() throws {
    let step = try Self.step("{ each: { json: { $.a: 1 }, schema: { type: object } } }")
    #expect(!step.neededByItself.needsBody && !step.neededByItself.contains(.items))
    #expect(step.request?.stream?.each.count == 2)
  }

  @Test func `the events of a stream are kept in memory if an expression of another step uses them`() throws {
    let text =
      "garland: 1\ndefaults: { base_url: 'http://h' }\nsteps:\n  s: { get: /x, events: true }\n  t: { get: '/${s.events[0].data}' }\n"
    #expect(try #require(try DecodingTests.workflow(text).step("s")).neededByOthers == .items)
  }
}
