import TestSupport
import Testing

@testable import GarlandDiagnostics

@Suite struct RedactorTests {
  func redactor(_ secrets: String...) -> Redactor {
    let redactor = Redactor()
    for secret in secrets { redactor.register(secret) }
    return redactor
  }

  /// A redactor of `MaskedEncoding.secret`, which the tests of all encodings share: a debug build needs 0.1 s to register a secret.
  private static let sharedRedactor: Redactor = {
    let redactor = Redactor()
    redactor.register(MaskedEncoding.secret)
    return redactor
  }()

  @Test func `a secret is registered for masking only once, and only if it has at least four characters`() {
    let redactor = Redactor()
    #expect(!redactor.hasSecrets)
    #expect(redactor.redact("anything") == "anything")
    #expect(redactor.register("abc") == .tooShort)
    #expect(redactor.register("äöü") == .tooShort)
    #expect(!redactor.hasSecrets)
    #expect(redactor.register("abcd") == .masked)
    #expect(redactor.register("abcd") == .known)
    #expect(redactor.redact("xabcdx abc abcdabcd") == "x***x abc ******")
  }

  @Test func `overlapping secrets are replaced by one mask`() {
    #expect(redactor("abcd", "cdefg").redact("-abcdefg-") == "-***-")
    #expect(redactor("abcd", "abcdefgh").redact("abcdefg abcdefgh") == "***efg ***")
    #expect(redactor("aaaa").redact("aaaaaa") == "***")
  }

  /// Messages truncate the texts that they quote before secrets are masked, at any position and in any
  /// encoding.
  @Test func `a secret that is truncated with an ellipsis is masked`() {
    let secret = "eyJhbGciOi+JSUzI1/NiIs\"In R5cCI6IkpXVCJ9"
    let redactor = redactor(secret)
    for form in [
      secret, secret.replacing("\"", with: "\\\""), "ZXlKaGJHY2lPaStKU1V6STEvTmlJcyJJbiBSNWNDSTZJa3BYVkNKOQ",
      secret.replacing("+", with: "%2B"),
    ] {
      for count in 4...form.count {
        let text = "is \"\(form.prefix(count))…, which does not match"
        let masked = redactor.redact(text)
        #expect(!masked.contains(form.prefix(4)), "\(masked)")
      }
    }
    #expect(redactor.redact("eyJhb and eyJhbGci… and eyJ… and eyJhx…") == "eyJhb and ***… and eyJ… and eyJhx…")
    // The pieces have every possible length.
    let bytes = Array("a eyJhbGci… b eyJhbGc".utf8)
    for size in 1...bytes.count {
      var stream = Redactor.Stream()
      var result: [UInt8] = []
      for start in stride(from: 0, to: bytes.count, by: size) {
        let end = min(start + size, bytes.count)
        result += redactor.redact(Array(bytes[start..<end]), in: &stream, isLast: end == bytes.count)
      }
      #expect(String(decoding: result, as: UTF8.self) == "a ***… b eyJhbGc", "pieces of \(size)")
    }
  }

  /// The cases are partial escapes, escapes of other tools, and nested escapes.
  @Test(arguments: [
    // Garland's own curl command with JSON in --form: JSON, the quotes of --form, the shell; and
    // the same in a JSON report.
    #"--form 'c="{\"x\":\"pa\\\"'\''s&<w ö+/\"}"'"#, #"--form 'c=\"{\\\"x\\\":\\\"pa\\\\\\\"'\\''s&<w ö+/\\\"}\"'"#,
    // XML in a shell's quotes, and in JSON.
    #"<string>pa"'\''s&amp;&lt;w ö+/</string>"#, #"<string>pa\"'\\''s&amp;&lt;w ö+/</string>"#,
    // Go's and .NET's HTML, and JSON by System.Text.Json in either.
    "pa&#34;&#39;s&amp;&lt;w ö&#43;/", "pa&quot;&#x27;s&amp;&lt;w &#xF6;&#x2B;/", #"pa\u0022\u0027s\u0026\u003Cw \u00F6\u002B/"#,
    #"pa\u0022&#x27;s\u0026&lt;w \u00F6+\/"#,
    // Percent-encoding of some characters only, and three times over.
    "pa%22's&%3Cw%20%C3%B6+/", "pa%252522%252527s%252526%25253Cw%252520%2525C3%2525B6%25252B%25252F",
    // YAML.
    "x: 'pa\"''s&<w ö+/'",
  ]) func `a secret with mixed or nested escapes is masked`(text: String) {
    let redactor = redactor("pa\"'s&<w ö+/")
    let masked = redactor.redact(text)
    #expect(masked.contains("***") && !masked.contains("pa"), "\(masked)")
    #expect(redactor.redact(Array(text.utf8)) == Array(masked.utf8))
    #expect(redactor.redact("pa and '' \\u00 &#x; % %zz \\") == "pa and '' \\u00 &#x; % %zz \\")
  }

  /// Within a shell's single quotes, a backslash is an ordinary character.
  @Test func `a secret with backslashes is masked in a shell text in single quotes, where a backslash is no escape`() {
    let redactor = redactor(#"pa<'\\ss-word"#)
    #expect(redactor.redact(#"--data '<string>pa&lt;'\''\\ss-word</string>'"#) == "--data '<string>***</string>'")
    #expect(redactor.redact(#"{"a": "pa\u003c'\\\\ss-word"}"#) == #"{"a": "***"}"#)
  }

  @Test(arguments: [
    ("http://LOCALHOST:80/echo/T0/hook-secret", "POST http://localhost/echo/T0/hook-secret"),
    ("http://localhost/echo/hook-secret#", "POST http://localhost/echo/hook-secret"),
    ("http://localhost?key=hook-secret", "POST http://localhost/?key=hook-secret"),
    ("http://localhost/echo/./T0/../T1/hook-secret", "POST http://localhost/echo/T1/hook-secret"),
    ("http://localhost/x?sig=a%2bb%2Fhook-secret XYZ", "POST http://localhost/x?sig=a%2bb%2Fhook-secret%20XYZ"),
    ("http://user:hook-secret%40@127.0.0.1:80/T0/B0/hook-secret", "POST http://127.0.0.1/T0/B0/hook-secret hook-secret@"),
  ])
  func `a secret that is a URL is masked even where the URL is written in its normalised form`(secret: String, text: String) {
    #expect(!redactor(secret).redact(text).contains("hook-secret"))
  }

  @Test(arguments: [
    ("abc%41de fgh", "abc%41de%20fgh"), ("abc%41de fgh", "abc%41de&#32;fgh"), ("abc%41de<fgh", "abc%41de&#x3c;fgh"),
    ("abc&amp;de<fgh", "abc&amp;de&#60;fgh"), (#"abc\u0041"d"#, #"abc\u0041\"d"#), ("off%41?cd#e", #"off%41\?cd#e"#),
  ])
  func `a secret that contains an escape sequence such as %41 is masked even if its other characters are escaped`(
    secret: String, text: String
  ) {
    #expect(redactor(secret).redact("[" + text + "]").contains("***"))
    #expect(redactor(secret).redact("[" + text + "]").count < 9)
  }

  @Test(arguments: [
    // Each character with a backslash, as `printf %q` writes it, in JSON; at the end in JSON with escapes that are not needed.
    (##"ab'%41&cd"##, ##"ab\\'\\%41\\&cd"##),
    (##"ab'%41&cd"##, ##"ab\\'\\%41\\\u0026cd"##),
    (##"'%41%zz''&#65;"##, ##"\\'\\%41\\%zz\\'\\'\\&\\#65\\;"##),
    (##"Q&#65;\x41'%41/"##, ##"Q\\&\\#65\\;\\\\x41\\'\\%41\\/"##),
    (##">'\x41>#!"##, ##"\\%3E\\%27\\%5Cx41\\%3E\\%23\\%21"##),
    (##"#%2= ''\u0041"##, ##"%\u00323%252%3D\u002b%27%27%5Cu0041"##),
  ])
  func `a secret that contains an escape sequence such as %41 is masked even in a text that was escaped twice`(secret: String, text: String)
  {
    #expect(redactor(secret).redact("[" + text + "] [" + text + "]") == "[***] [***]")
  }

  @Test(arguments: [#"a+b%5C%22c%2Fd"#, #"a+b%26quot%3Bc%2Fd"#, #"a+b%27%5C%27%27%22c%2Fd"#, "%61+b%255C%2522c%252Fd"])
  func `a secret that is first escaped and then form-encoded is masked, even if it contains a space`(text: String) {
    let redactor = redactor(#"a b"c/d"#)
    redactor.register(#"a b'"c/d"#)
    #expect(redactor.redact("x=" + text + "&y=1+2") == "x=***&y=1+2")
  }

  @Test func `a secret is masked even if a text has a backslash before a non-ASCII character of the secret`() {
    #expect(redactor("p&ss wörd").redact(#"[p\&ss\ w\örd]"#) == "[***]")
    #expect(redactor("test→password").redact(#"[test\→password]"#) == "[***]")
  }

  @Test func `masking does not change a malformed escape sequence`() {
    let redactor = redactor("secret-word", "a&b=c%d\\n")
    for text in ["100 % of \\", "&#", "&#x110000;", "%", "%4", "\\u12", "\\ud800", "\\ud800\\u0041", "''", "'", "a & b", "\\uDC00"] {
      #expect(redactor.redact(text) == text)
      #expect(redactor.redact(text + "secret-word" + text) == text + "***" + text)
    }
    #expect(redactor.redact("[a&b=c%d\\n]") == "[***]")
    // The mask covers the whole of an escape, and no more.
    #expect(redactor.redact("x\\u0073ecret-wor\\u0064y") == "x***y")
  }

  /// Applications store the payload and the signature of a token separately, for example in two
  /// cookies.
  @Test func `the payload and the signature of a secret signed token are masked even without the rest of the token`() {
    let redactor = redactor("eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhbGljZSJ9.DtEhU3ljbEg8L38VWAfUAqOyKAM6")
    #expect(redactor.redact("p=eyJzdWIiOiJhbGljZSJ9; s=DtEhU3ljbEg8L38VWAfUAqOyKAM6") == "p=***; s=***")
    #expect(redactor.redact("alg eyJhbGciOiJFUzI1NiJ9") == "alg eyJhbGciOiJFUzI1NiJ9", "that of all tokens")
    #expect(redactor.redact("eyJzdWIiOiJhbGlj…") == "***…")
    let other = self.redactor("host.of.somebody-who-has-a-long-name")
    #expect(other.redact("somebody-who-has-a-long-name") == "somebody-who-has-a-long-name")
  }

  static let nasty = "p\"a\\s/s'w ö&<d>$`😀\tx"

  @Test(
    arguments: [
      nasty,
      // JSON: plain, with \/, ASCII only in both cases, for HTML, within JSON
      #"p\"a\\s/s'w ö&<d>$`😀\tx"#, #"p\"a\\s\/s'w ö&<d>$`😀\tx"#, #"p\"a\\s/s'w \u00f6&<d>$`\ud83d\ude00\tx"#,
      #"p\"a\\s/s'w \u00F6&<d>$`\uD83D\uDE00\tx"#, #"p\"a\\s/s'w ö\u0026\u003cd\u003e$`😀\tx"#,
      #"p\\\"a\\\\s/s'w ö&<d>$`😀\\tx"#,
      // XML
      "p&quot;a\\s/s'w ö&amp;&lt;d&gt;$`😀\tx", "p\"a\\s/s&apos;w ö&amp;&lt;d>$`😀\tx", "p&quot;a\\s/s&#39;w ö&amp;&lt;d&gt;$`😀&#9;x",
      // percent
      "p%22a%5Cs%2Fs%27w%20%C3%B6%26%3Cd%3E%24%60%F0%9F%98%80%09x", "p%22a%5cs%2fs%27w+%c3%b6%26%3cd%3e%24%60%f0%9f%98%80%09x",
      "p%22a%5Cs/s'w%20%C3%B6&%3Cd%3E$%60%F0%9F%98%80%09x",
      "%70%22%61%5C%73%2F%73%27%77%20%C3%B6%26%3C%64%3E%24%60%F0%9F%98%80%09%78",
      // shell
      #"p"a\s/s'\''w ö&<d>$`😀"# + "\tx", #"p\"a\\s/s'w ö&<d>\$\`😀"# + "\tx", #"p"a\\s/s\'w ö&<d>$`😀\tx"#,
      #"p"a\\s/s\'w \303\266&<d>$`\360\237\230\200\tx"#,
      // hex
      "702261" + "5c732f73277720c3b6263c643e2460f09f98800978", "7022615C732F73277720C3B6263C643E2460F09F98800978",
    ])
  func `each escaped or encoded form of a secret is masked`(_ form: String) {
    #expect(redactor(Self.nasty).redact("[\(form)]") == "[***]")
  }

  @Test(arguments: MaskedEncoding.all) func `a secret in each documented encoding is masked completely`(encoding: MaskedEncoding) {
    let redactor = Self.sharedRedactor
    for text in [encoding.text, "before \(encoding.text) behind", "[\"\(encoding.text)\"]"] {
      let masked = redactor.redact(text)
      #expect(masked.contains("***"))
      #expect(encoding.shown(in: masked).isEmpty, "\(masked.suffix(200))")
    }
  }

  @Test(arguments: MaskedEncoding.all) func `if a text is truncated within an encoded secret, the remaining part of the secret is masked`(
    encoding: MaskedEncoding
  ) {
    let redactor = Self.sharedRedactor
    let scalars = Array(encoding.text.unicodeScalars)
    for count in stride(from: 48, to: scalars.count, by: scalars.count > 100 ? 7 : 1) {
      var text = "x "
      text.unicodeScalars.append(contentsOf: scalars[..<count])
      let masked = redactor.redact(text + "…")
      #expect(encoding.shown(in: masked).isEmpty, "\(count): \(masked)")
    }
  }

  @Test(arguments: MaskedEncoding.all.enumerated().filter { DeepTests.areRun || $0.offset % 3 == 0 }.map(\.element))
  func `an encoded secret in a long text is masked even if the secret is split between two pieces of the text`(encoding: MaskedEncoding) {
    let redactor = Self.sharedRedactor
    let bytes = Array((String(repeating: "y ", count: 33_000) + encoding.text + " and no more").utf8)
    for border in [66_003, 66_000 + encoding.text.utf8.count / 2] {
      var rest: [UInt8] = []
      let masked =
        redactor.redact(Array(bytes[..<border]), after: &rest, isLast: false)
        + redactor.redact(Array(bytes[border...]), after: &rest, isLast: true)
      let text = String(decoding: masked, as: UTF8.self)
      #expect(rest.isEmpty && encoding.shown(in: text).isEmpty, "at \(border)")
      #expect(text.hasPrefix("y y ") && text.hasSuffix(" and no more") && text.contains("***"))
    }
  }

  @Test func `a secret of several lines is masked even if its line breaks are changed`() {
    let redactor = redactor("ab\ncd\nef")
    #expect(redactor.redact("x ab\r\ncd\r\nef y") == "x *** y")
    #expect(redactor.redact("x ab\\r\\ncd\\r\\nef y") == "x *** y")
  }

  @Test func `an encoded secret is masked completely even if its decoded form contains another secret`() {
    #expect(redactor("s&cr", "1%26s%26cr%2F9").redact("x 1%26s%26cr%2F9 y") == "x *** y")
  }

  static func base64(_ bytes: [UInt8], urlSafe: Bool, padded: Bool) -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789" + (urlSafe ? "-_" : "+/"))
    var result = ""
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let chunk = Array(bytes[start..<min(start + 3, bytes.count)])
      let value = chunk.enumerated().reduce(0) { $0 | Int($1.element) << (16 - 8 * $1.offset) }
      for letter in 0...chunk.count { result.append(letters[value >> (18 - 6 * letter) & 63]) }
      if padded { result += String(repeating: "=", count: 3 - chunk.count) }
    }
    return result
  }

  @Test(arguments: [true, false], [true, false])
  func `if a text with a secret is encoded in base64, the secret is masked at every position in the text`(urlSafe: Bool, padded: Bool) {
    let secret = "t0p>s?cr~t!"
    let redactor = redactor(secret)
    for before in ["", "u", "us", "use", "user:"] {
      for after in ["", "x", "xy", "xyz"] {
        let encoded = Self.base64(Array((before + secret + after).utf8), urlSafe: urlSafe, padded: padded)
        let masked = redactor.redact(encoded)
        // The text around the mask has no more letters than those that encode the neighbours.
        let rest = masked.replacing("***", with: "")
        let neighbours = (before.utf8.count * 4 + 2) / 3 + (after.utf8.count * 4 + 2) / 3 + 4
        #expect(masked.contains("***") && rest.count <= neighbours, "\(before)|\(after): \(masked)")
        #expect(before + after != "" || masked == "***")
      }
    }
  }

  /// The credentials are in a document, or in a form-encoded pair, that is encoded in base64 as a whole.
  @Test(arguments: [
    #"{"password":"p@\"s\\s ö<1>"}"#, #"{"password":"p@\"s\\s \u00f6<1>"}"#, #"{"password":"p@\"s\\s ö\u003c1\u003e"}"#,
    "<p>p@&quot;s\\s ö&lt;1&gt;</p>", "<p>p@\"s\\s ö&lt;1></p>", "me:p%40%22s%5Cs+%C3%B6%3C1%3E", "me:p%40%22s%5Cs%20%C3%B6%3C1%3E",
  ]) func `a secret that was escaped and then encoded in base64 is masked`(document: String) throws {
    let redactor = redactor("p@\"s\\s ö<1>")
    for before in ["", "x", "xy"] {
      for urlSafe in [true, false] {
        let encoded = Self.base64(Array("\(before)\(document)\(before)".utf8), urlSafe: urlSafe, padded: !urlSafe)
        for text in [encoded, "{\"token\": \"\(encoded.replacing("/", with: "\\/"))\"}", "?t=\(encoded.replacing("+", with: "%2B"))&x"] {
          let masked = redactor.redact(text)
          #expect(masked.contains("***") && !masked.contains(encoded.dropFirst(20).prefix(6)), "\(masked)")
        }
      }
    }
  }

  /// A run of thousands of users has as many tokens, which stay registered until its end.
  @Test func `each long token that is registered for masking takes less than 16 KiB of memory`() {
    var random = SeededRandom(seed: 3)
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    func word(_ count: Int) -> String {
      String(decoding: (0..<count).map { _ in letters[Int.random(in: 0..<64, using: &random)] }, as: UTF8.self)
    }
    let head = "eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJodHRwczovL2lkLmV4YW1wbGUuY29tIiwic3ViIjoi"
    let redactor = Redactor()
    redactor.register("one that makes room")
    let before = redactor.size
    let tokens = (0..<16).map { _ in "\(head)\(word(408)).\(word(342))" }
    for token in tokens { redactor.register(token) }
    let each = (redactor.size - before) / tokens.count
    #expect(each < 16 << 10, "\(each) bytes for each")
    // The part after the common beginning distinguishes the tokens.
    for token in [tokens[0], tokens[7], tokens[15]] {
      #expect(redactor.redact("Bearer \(token), \(head)") == "Bearer ***, \(head)")
      #expect(redactor.redact(Self.base64(Array(token.utf8), urlSafe: false, padded: true)) == "***")
      #expect(redactor.redact("\(token.prefix(300))…, \(token.prefix(90))…") == "***…, ***…")
    }
    let other = "\(head)\(word(408)).\(word(342))"
    #expect(redactor.redact(other) == other)
  }

  @Test func `each line of a secret with several lines is masked even without the other lines`() {
    let redactor = redactor("-----BEGIN KEY-----\nMIIabcdef\n  indented line \nno\n-----END KEY-----\n")
    #expect(redactor.redact("a MIIabcdef b") == "a *** b")
    #expect(redactor.redact("key:\n    indented line\n    no") == "key:\n    ***\n    no")
  }

  @Test func `the masking of secrets in a stream does not depend on the pieces into which the stream is split`() {
    let redactor = redactor("secret", "cretaceous", "secretary-general")
    let text = "a secret sec secretaceous secretary-gen secretary-general s"
    let expected = redactor.redact(text)
    #expect(expected == "a *** sec *** ***ary-gen *** s")
    let bytes = Array(text.utf8)
    for size in 1...bytes.count {
      var stream = Redactor.Stream()
      var output: [UInt8] = []
      for start in stride(from: 0, to: bytes.count, by: size) {
        output += redactor.redact(Array(bytes[start..<min(start + size, bytes.count)]), in: &stream, isLast: false)
      }
      output += redactor.redact([], in: &stream, isLast: true)
      #expect(String(decoding: output, as: UTF8.self) == expected, "split into \(size)")
    }
  }

  @Test func `in random texts, masking replaces exactly the bytes that a simple search for the secrets finds`() {
    var random = SeededRandom(seed: 7)
    for _ in 0..<300 {
      func word(_ length: Int) -> [UInt8] { (0..<length).map { _ in UInt8.random(in: 0x61...0x62, using: &random) } }
      let secrets = (0..<Int.random(in: 1...4, using: &random)).map { _ in
        String(decoding: word(.random(in: 4...7, using: &random)), as: UTF8.self)
      }
      let text = word(60)
      var covered = [Bool](repeating: false, count: text.count)
      var starts = Set<Int>()
      for secret in secrets {
        let pattern = Array(secret.utf8)
        for at in 0...text.count - pattern.count where Array(text[at..<at + pattern.count]) == pattern {
          starts.insert(at)
          for index in at..<at + pattern.count { covered[index] = true }
        }
      }
      let redactor = Redactor()
      for secret in secrets { redactor.register(secret) }
      let masked = redactor.redact(String(decoding: text, as: UTF8.self))
      let kept = String(decoding: text.indices.filter { !covered[$0] }.map { text[$0] }, as: UTF8.self)
      #expect(masked.replacing("***", with: "") == kept)
      #expect(masked.contains("***") == covered.contains(true))
    }
  }

  @Test func `secrets that are registered on several threads are all masked`() async {
    let redactor = Redactor()
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<4 {
        group.addTask {
          for number in 0..<250 {
            redactor.register("token-\(task)-\(number)-x")
            _ = redactor.redact("some text token-\(task)-\(number)-x")
          }
        }
      }
    }
    #expect(redactor.redact("token-3-249-x token-0-0-x token-4-0-x") == "*** *** token-4-0-x")
  }

  @Test func `a secret is masked even if it is split between two spans of a styled text`() {
    let redactor = redactor("secret")
    let text: StyledText = "a \("secret", .error) b"
    #expect(redactor.redact(text).spans == [.init("a "), .init("***", .error), .init(" b")])
    #expect(redactor.redact("se\("cret", .error) b" as StyledText).plain == "*** b")
  }
}
