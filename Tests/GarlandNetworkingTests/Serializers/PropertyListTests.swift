import FoundationEssentials
import GarlandJSON
import GarlandNetworking
import GarlandSandbox
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(15))) struct PropertyListTests {
  let value: StructuredValue = [
    "array": [1, -5, 1.5, true, false, "text", "Grüße"], "data": .data([0, 1, 255]),
    "date": .date(Date(timeIntervalSince1970: 1_000_000_000)),
    "dict": ["a": [:], "b": []], "large": .number(JSONNumber("9223372036854775807") ?? 0),
  ]

  @Test func `a property list is unchanged after it is written as XML and parsed`() throws {
    #expect(try PropertyList.parse(PropertyListParameters().encode(value)) == value)
  }

  @Test func `an XML property list is parsed with its numbers, data and entities`() throws {
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0"><!-- c --><dict><key>a &amp; b</key><string><![CDATA[<x>]]></string>
      <key>n</key><integer> 0x1F </integer><key>m</key><integer>+7</integer><key>r</key><real>1e3</real>
      <key>d</key><data>
        AAEC
        /w==
      </data></dict></plist>
      """
    #expect(
      try PropertyList.parse(Array(text.utf8)) == [
        "a & b": "<x>", "n": 31, "m": 7, "r": .number(JSONNumber("1e3") ?? 0), "d": .data([0, 1, 2, 255]),
      ])
  }

  @Test(arguments: [
    "", "<plist/>", "<plist><string>a</string><string>b</string></plist>", "<dict/>", "<plist><dict><key>a</key></dict></plist>",
    "<plist><dict><string>a</string><string>b</string></dict></plist>", "<plist><integer>x</integer></plist>", "<plist><real/></plist>",
    "<plist><date>today</date></plist>", "<plist><data>*</data></plist>", "<plist><odd/></plist>", "<plist><string></plist>",
    "<!DOCTYPE p [<!ENTITY a \"x\">]><plist><string>&a;</string></plist>",
  ])
  func `the XML property list parser refuses an invalid list, such as one with a key without a value`(_ text: String) {
    #expect(throws: NetworkingError.Serialization.self) { try PropertyList.parse(Array(text.utf8)) }
  }

  /// Uses Python's plistlib as an independent writer.
  @Test func `the parser of binary property lists reads the output of Python and never crashes on damaged data`() async throws {
    let script = """
      import plistlib, datetime, sys
      v = {"array": [1, -5, 1.5, True, False, "text", "Grüße"], "data": bytes([0, 1, 255]),
        "date": datetime.datetime.fromtimestamp(1000000000, datetime.timezone.utc).replace(tzinfo=None),
        "dict": {"a": {}, "b": []}, "large": 9223372036854775807}
      sys.stdout.buffer.write(plistlib.dumps(v, fmt=plistlib.FMT_BINARY))
      """
    let bytes = try await ChildProcess.run("/usr/bin/python3", ["-c", script]).outputBytes
    #expect(try PropertyList.parse(bytes) == value)
    // Broken input never crashes the parser or takes long.
    var generator = SeededRandom(seed: 7)
    for _ in 0..<3000 {
      var broken = bytes
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        broken[Int.random(in: 8..<broken.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
      }
      if Bool.random(using: &generator) { broken.removeLast(Int.random(in: 0..<40, using: &generator)) }
      _ = try? PropertyList.parse(broken)
    }
  }

  @Test func `a binary property list that contains itself is refused`() {
    // An array whose only element is itself.
    var bytes = Array("bplist00".utf8) + [0xA1, 0x00]
    bytes += [8] + [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 1] + [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, 10]
    #expect(throws: NetworkingError.Serialization.self) { try PropertyList.parse(bytes) }
  }

  @Test func `property lists can be serialized, decoded and sent`() async throws {
    struct Answer: Codable, Equatable, Sendable {
      var name: String
      var date: Date
      var data: Data
    }
    let answer = Answer(name: "x", date: Date(timeIntervalSince1970: 5), data: Data([1, 2]))
    let body = try PropertyListParameters().encode(StructuredEncoder().encode(answer))
    let server = try RawServer { connection in
      while connection.readRequest() != nil {
        connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n")
        connection.send(body)
      }
    }
    let request = Session(.ephemeral).request(server.url)
    #expect(try await request.propertyList["name"] == "x")
    #expect(try await request.response(of: Answer.self, format: .propertyList).value == answer)
    try await withSandbox { (session, sandbox) async throws in
      let wrong = await session.request(sandbox.url + "/json").response(with: PropertyListResponseSerializer())
      #expect(wrong.error?.reason.kind == .serialization)
      let echo = try await session.request(sandbox.url + "/post", method: .post, parameters: answer, encoding: .propertyList).json
      #expect(echo["header"]?["content-type"] == "application/x-plist")
    }
  }
}
