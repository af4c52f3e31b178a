import Foundation
import GarlandDiagnostics
import TestSupport
import Testing

/// Tests of secrets that another program escaped, and possibly encoded in base64 after that.
@Suite struct EscapedSecretTests {
  private func redactor(_ secrets: String...) -> Redactor {
    let redactor = Redactor()
    for secret in secrets { redactor.register(secret) }
    return redactor
  }

  @Test(arguments: [
    ("it's-my-pass", "'it''s-my-pass'"), ("it's-my-pass", "it\\'s\\-my\\-pass"), ("it's-my-pass", "\"it's-my-pass\""),
    ("correct horse/battery+1", "correct%20horse/battery%2B1"), ("correct horse/battery+1", "correct\\ horse\\/battery\\+1"),
    ("correct horse/battery+1", "correct+horse/battery%2B1"), ("sk_live_1234567890", "sk\\_live\\_1234567890"),
    ("hunter2hunter2", "hunter2%68unter2"), ("pass\"word", "pass\\\"word"), ("größer4", "gr%F6%DFer4"), ("größer4", "gr\\xf6\\xdfer4"),
  ]) func `a secret is masked even if some of its characters were escaped before the text was encoded as base64`(
    secret: String, escaped: String
  ) {
    let redactor = redactor(secret)
    for before in ["", "x", "xy", "user:"] {
      for after in ["", "z"] {
        let code = Data((before + escaped + after).utf8).base64EncodedString()
        for text in [
          code, code.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: ""), Data(code.utf8).base64EncodedString(),
        ] {
          let masked = redactor.redact("[\(text)]")
          #expect(masked.contains("***"), "\(escaped): \(masked)")
          // At most the letters remain that encode the neighbours.
          #expect(masked.count <= 5 + (before + after).utf8.count * 16 / 9 + 12, "\(escaped): \(masked)")
        }
      }
    }
  }

  @Test(arguments: [
    ("größer😀4", "gr%F6%DFer%F0%9F%98%804"), ("größer😀4", #"gr\xf6\xdfer\U0001f6004"#), ("größer😀4", #"gr\xf6\xdfer\u{1f600}4"#),
    ("größer😀4", #"gr\xc3\xb6\xc3\x9fer\xf0\x9f\x98\x804"#), ("größer😀4", #"gr\\xf6\\xdfer\\U0001f6004"#), ("é°ñÿ", "%E9%B0%F1%FF"),
  ]) func `a secret is masked even if its characters outside ASCII are escaped as code points or as UTF-8 bytes`(
    secret: String, text: String
  ) {
    #expect(redactor(secret).redact("[\(text)]") == "[***]")
  }

  @Test func `a secret that is cut off in the middle of an escaped character is masked up to the cut`() {
    let redactor = redactor("größer😀4 more")
    for text in [
      "gr%C3%B6%C3%9Fer%F0%9F%98%804", #"gr\xc3\xb6\xc3\x9fer\xf0\x9f\x98\x804"#, #"gr\xf6\xdfer\U0001f6004"#, "gr%F6%DFer%F0%9F%98%804",
    ] {
      for count in (text.hasPrefix("gr%C") ? 14 : 18)...text.count {
        let masked = redactor.redact("[\(text.prefix(count))…]")
        #expect(masked == "[***…]", "\(count): \(masked)")
      }
    }
  }

  @Test(arguments: ["\\U00110000 \\U1 \\u{} \\u{110000} \\u{1f600 \\xz", "%C3 %F0%9F%98 %ED%A0%80 %zz"])
  func `masking does not change an incomplete escape sequence such as %C3`(text: String) {
    #expect(redactor("größer😀4").redact(text) == text)
  }
}
