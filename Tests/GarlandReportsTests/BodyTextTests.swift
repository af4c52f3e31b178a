import GarlandDiagnostics
import GarlandResults
import Testing

@testable import GarlandReports

@Suite struct BodyTextTests {
  private func lines(_ bytes: [UInt8], _ type: String?, size: Int? = nil, limit: Int = 100, secrets: [String] = []) -> [String] {
    let redactor = Redactor()
    for secret in secrets { redactor.register(secret) }
    let body = Exchange.Body(bytes: bytes, size: size ?? bytes.count, type: type)
    return BodyText(mask: Mask(redactor)).lines(body, fileVerb: "written to", limit: limit).map(\.plain)
  }

  private func lines(_ text: String, _ type: String?, size: Int? = nil, limit: Int = 100, secrets: [String] = []) -> [String] {
    lines(Array(text.utf8), type, size: size, limit: limit, secrets: secrets)
  }

  @Test(arguments: [
    (
      #"{"a":1.50,"a":[],"b":{},"c":[1,{"d":null}]}"#,
      ["{", #"  "a": 1.50,"#, #"  "a": [],"#, #"  "b": {},"#, #"  "c": ["#, "    1,", "    {", #"      "d": null"#, "    }", "  ]", "}"]
    ),
    (#" "text" "#, [#""text""#]), ("12e400", ["12e400"]), ("null", ["null"]), ("[]", ["[]"]),
    (#"{"a":1}{"b":2}"#, [#"{"a":1}{"b":2}"#]), ("Internal error", ["Internal error"]), ("]", ["]"]), ("", ["(0 B of application/json)"]),
  ])
  func `a JSON body is indented without changes to its numbers and escapes`(text: String, expected: [String]) {
    #expect(lines(text, "application/json; charset=utf-8") == expected)
  }

  @Test func `a truncated JSON body is indented up to the point where the body was cut off`() {
    #expect(
      lines(#"{"a":[1,"tw"#, "application/vnd.api+json", size: 5_000) == [
        "{", #"  "a": ["#, "    1,", #"    "tw"#, "… (4.9 KiB, of which the first 11 B are known)",
      ])
  }

  @Test func `a JSON body with 200,000 open brackets is shown without a crash`() {
    #expect(lines(String(repeating: "[", count: 200_000), "application/json", limit: 300_000).count == 200_000)
  }

  @Test func `if a body has more lines than a report may show, the last shown line states the size of the whole body`() {
    #expect(lines("a\nb\nc\nd\n", "text/plain", limit: 2) == ["a", "b", "… (the rest of 8 B)"])
    #expect(lines("a\r\nb\tc\n", "text/plain") == ["a", "b       c"])
  }

  @Test func `a body is decoded with the charset of its media type`() {
    #expect(lines([0x63, 0x61, 0x66, 0xE9], "text/plain; charset=ISO-8859-1") == ["café"])
    #expect(lines([0x80, 0x20, 0x93], "text/plain;charset=\"windows-1252\"") == ["€ “"])
    #expect(lines([0xFF, 0xFE, 0x63, 0x00, 0xE9, 0x00], "text/plain; charset=utf-16") == ["cé"])
    #expect(lines([0x82, 0xA0], "text/html; charset=Shift_JIS") == ["あ"])
    #expect(lines([0xEF, 0xBB, 0xBF, 0x61], "text/plain") == ["a"])
    #expect(lines([0x61, 0xC3], "text/plain", size: 9) == ["a", "… (9 B, of which the first 2 B are known)"])
  }

  @Test func `in reports, a binary body is replaced by its size, type and first bytes`() {
    #expect(lines([0x89, 0x50, 0x4E, 0x47], "image/png") == ["(4 B of image/png, no text: 89 50 4e 47)"])
    #expect(lines([0xFF, 0xC3, 0x28], nil) == ["(3 B, no text: ff c3 28)"])
    #expect(lines([0x61, 0x00], "application/octet-stream") == ["(2 B of application/octet-stream, no text: 61 00)"])
    #expect(lines([0x61], "text/plain; charset=../../etc/passwd") == ["(1 B of text/plain, no text: 61)"])
  }

  @Test func `a secret is masked if it is written with JSON escapes or in another charset`() {
    #expect(lines(#"{"t":"\u0063anary-1\/2"}"#, "application/json", secrets: ["canary-1/2"]) == ["{", #"  "t": "***""#, "}"])
    let utf16 = "canary-1/2".utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    #expect(lines(utf16, "text/plain; charset=utf-16le", secrets: ["canary-1/2"]) == ["***"])
    #expect(lines(#"{"n":8675309}"#, "application/json", secrets: ["8675309"]) == ["{", #"  "n": ***"#, "}"])
  }
}
