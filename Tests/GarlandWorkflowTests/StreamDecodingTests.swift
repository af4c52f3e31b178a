import TestSupport
import Testing

@testable import GarlandWorkflow

@Suite struct StreamDecodingTests {
  static let mistakes: [(name: String, lines: String)] = [
    ("no value", "get: /x\nevents:"), ("a number", "get: /x\nevents: 3"), ("false", "get: /x\nevents: false"),
    ("a mistyped key", "get: /x\nevents: {untill: '${event.data == ''x''}'}"),
    ("a condition that looks at nothing", "get: /x\nevents: {until: true}"),
    ("a mistyped member", "get: /x\nevents: {until: \"${event.dat == 'x'}\"}"),
    ("the event as a value", "get: /x\nevents: {until: '${event}'}"),
    ("a number of events that can't be", "get: /x\nevents: {count: 0, keep: -1, reconnect: -2}"),
    ("reconnecting without an end", "get: /x\nevents: {reconnect: 3}"), ("nothing of each", "get: /x\nevents: {each: {}}"),
    ("a mistyped expectation of each", "get: /x\nevents: {each: {dat: x}}"),
    (
      "beside a download, a poll and pages",
      "get: /x\nevents: true\ndownload: a\npoll: {until: '${response.status == 200}'}\npaginate: {link: true}"
    ),
    ("the whole body", "get: /x\nevents: true\nexpect: {json: {$.a: 1}, body: x, sha256: {file: a}}"),
    ("extracts of the whole body", "get: /x\nevents: true\nextract: {a: $.a, b: {regex: x}, c: {header: X}}"),
    ("its body in an expression", "get: /x\nevents: true\nexpect: {that: '${response.json.a == 1}'}"),
    ("events of a step that reads none", "get: /x\nexpect: {events: {length: 1}, time_to_first_event: {lt: 1s}}"),
    ("events in an expression, of a step that reads none", "get: /x\nexpect: {that: '${response.events | length == 1}'}"),
    ("an event outside of `until`", "get: /x\nevents: true\nexpect: {that: '${event.data == 1}'}"),
    ("lines beside events", "get: /x\nevents: true\nlines: true"), ("lines that reconnect", "get: /x\nlines: {count: 1, reconnect: 2}"),
    ("a member that lines lack", "get: /x\nlines: {until: \"${line.data == 'x'}\"}"),
    ("an event in lines", "get: /x\nlines: {until: \"${event.data == 'x'}\"}"),
    ("events expected of lines", "get: /x\nlines: true\nexpect: {events: {length: 1}, that: '${response.events[0]}'}"),
    ("parts beside events", "get: /x\nparts: true\nevents: true"), ("parts that reconnect", "get: /x\nparts: {count: 1, reconnect: 2}"),
    ("a member that parts lack", "get: /x\nparts: {until: \"${part.data == 'x'}\"}"),
    ("the headers of a part by number", "get: /x\nparts: {until: \"${part.headers[0] == 'x'}\"}"),
    ("nothing of each part", "get: /x\nparts: {each: {}}"), ("a mistyped expectation of each part", "get: /x\nparts: {each: {typ: x}}"),
    ("a condition that looks at no part", "get: /x\nparts: {until: true}"),
    ("the whole body of parts", "get: /x\nparts: true\nexpect: {json: {$.a: 1}, body: x}\nextract: {a: $.a}"),
    ("its body in an expression, of parts", "get: /x\nparts: true\nexpect: {that: '${response.text == 1}'}"),
    ("beside listen", "listen: /hook\nevents: true"), ("beside reach", "reach: db:5432\nevents: true"),
    ("a time without a unit", "get: /x\nevents: {within: 3}"),
    ("a time that is no limit", "get: /x\nevents: true\nexpect: {time_to_first_event: 3s}"),
  ]

  @Test func `each mistake in a stream gives the message in the table of the test`() {
    expectGolden(MistakesTests.render(Self.mistakes), "streams.txt")
  }

  @Test(arguments: ["events", "lines", "parts"], ["poll: { until: '${response.status == 200}' }", "paginate: { link: true }"])
  func `a stream is refused if the defaults have poll or paginate, unless the step sets the key to null`(_ stream: String, _ other: String)
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

  @Test func `in an until condition, the name event means the event of the stream even if a step has this id`() throws {
    let step = try Self.step("{ until: \"${event.json == 1}\" }")
    #expect(step.references.isEmpty)
    #expect(step.request?.stream?.until != nil)
  }

  @Test func `expectations of the number of events keep no events in memory, and other expectations of events do`() throws {
    #expect(!(try Self.step("true", ", expect: { events: { length: { gte: 3 }, empty: false } }").neededByItself.contains(.items)))
    #expect(try Self.step("true", ", expect: { events: { length: 3, any: { exists: true } } }").neededByItself.contains(.items))
  }

  @Test func `expectations of each event do not need the whole body`() throws {
    let step = try Self.step("{ each: { json: { $.a: 1 }, schema: { type: object } } }")
    #expect(!step.neededByItself.needsBody && !step.neededByItself.contains(.items))
    #expect(step.request?.stream?.each.count == 2)
  }

  @Test func `events are kept in memory if an expression of another step uses them`() throws {
    let text =
      "garland: 1\ndefaults: { base_url: 'http://h' }\nsteps:\n  s: { get: /x, events: true }\n  t: { get: '/${s.events[0].data}' }\n"
    #expect(try #require(try DecodingTests.workflow(text).step("s")).neededByOthers == .items)
  }
}
