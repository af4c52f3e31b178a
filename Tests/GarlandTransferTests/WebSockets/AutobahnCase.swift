import GarlandText
import TestSupport
import Testing
import TransferTestSupport

/// A case of the Autobahn test suite for clients: the data of the server, and the expected reaction of a client that echoes messages.
///
/// The cases and their numbers are those in the documentation of the suite, https://github.com/crossbario/autobahn-testsuite.
struct AutobahnCase: Sendable, CustomTestStringConvertible {
  typealias Frame = FrameServer.Frame

  /// The end of a connection.
  enum End: Sendable {
    /// The server closes the connection with code 1000, and the client responds with the same code.
    case closes
    /// The client closes the connection with a close frame that has this code.
    case ends(UInt16)
  }

  let id: String
  /// The bytes that the server sends in each step, and the frames that it waits for before the next step.
  let steps: [(send: [UInt8], replies: [Frame])]
  var end = End.closes
  /// The size of the pieces in which the server sends its bytes; nil for a single piece.
  var chop: Int?

  var testDescription: String { id }

  /// The frames that the client has to send, including its close frame.
  var reaction: [Frame] {
    let replies = steps.flatMap(\.replies)
    switch end {
    case .closes: return replies + [Frame(8, Self.code(1000))]
    case .ends(let code): return replies + [Frame(8, Self.code(code))]
    }
  }

  static func code(_ code: UInt16, _ reason: String = "") -> [UInt8] { [UInt8(code >> 8), UInt8(code & 0xFF)] + Array(reason.utf8) }

  /// Creates a case in which the server sends everything in one step.
  init(_ id: String, _ send: [[UInt8]], _ replies: [Frame] = [], _ end: End = .closes, chop: Int? = nil) {
    self.init(id, steps: [(send.flatMap(\.self), replies)], end, chop: chop)
  }

  init(_ id: String, steps: [(send: [UInt8], replies: [Frame])], _ end: End = .closes, chop: Int? = nil) {
    self.id = id
    self.steps = steps
    self.end = end
    self.chop = chop
  }
}

extension AutobahnCase {
  static func text(_ text: String, isFinal: Bool = true) -> [UInt8] { Frame(1, Array(text.utf8), isFinal: isFinal).bytes() }
  static func binary(_ bytes: [UInt8], isFinal: Bool = true) -> [UInt8] { Frame(2, bytes, isFinal: isFinal).bytes() }
  static func rest(_ text: String, isFinal: Bool = true) -> [UInt8] { Frame(0, Array(text.utf8), isFinal: isFinal).bytes() }
  static func ping(_ text: String) -> [UInt8] { Frame(9, Array(text.utf8)).bytes() }
  static func close(_ payload: [UInt8]) -> [UInt8] { Frame(8, payload).bytes() }
  static func echo(_ text: String) -> Frame { Frame(1, Array(text.utf8)) }
  static func pong(_ text: String) -> Frame { Frame(10, Array(text.utf8)) }

  static let all = framing + pings + reservedBits + opcodes + fragmentation + utf8 + utf8Sequences + closing + limits

  // MARK: 1. Framing

  private static let framing: [AutobahnCase] = {
    var cases: [AutobahnCase] = []
    for (index, size) in [0, 125, 126, 127, 128, 65_535, 65_536, 65_536].enumerated() {
      let chop = index == 7 ? 997 : nil
      let (letters, bytes) = (String(repeating: "*", count: size), [UInt8](repeating: 0xFE, count: size))
      cases.append(AutobahnCase("1.1.\(index + 1)", [text(letters)], [echo(letters)], chop: chop))
      cases.append(AutobahnCase("1.2.\(index + 1)", [binary(bytes)], [Frame(2, bytes)], chop: chop))
    }
    return cases
  }()

  // MARK: 2. Pings and pongs

  private static let pings: [AutobahnCase] = {
    let bytes: [UInt8] = [0x00, 0xFF, 0xFE, 0xFD, 0xFC, 0xFB, 0x00, 0xFF]
    let full = String(repeating: "p", count: 125)
    let numbers = (0..<10).map { "payload-\($0)" }
    return [
      AutobahnCase("2.1", [ping("")], [pong("")]),
      AutobahnCase("2.2", [ping("Hello, world!")], [pong("Hello, world!")]),
      AutobahnCase("2.3", [Frame(9, bytes).bytes()], [Frame(10, bytes)]),
      AutobahnCase("2.4", [ping(full)], [pong(full)]),
      AutobahnCase("2.5", [ping(full + "p")], [], .ends(1002)),
      AutobahnCase("2.6", [ping(full)], [pong(full)], chop: 1),
      AutobahnCase("2.7", [Frame(10, []).bytes()]),
      AutobahnCase("2.8", [Frame(10, Array("unsolicited".utf8)).bytes()]),
      AutobahnCase("2.9", [Frame(10, Array("unsolicited".utf8)).bytes(), ping("ping")], [pong("ping")]),
      AutobahnCase("2.10", numbers.map(ping), numbers.map(pong)),
      AutobahnCase("2.11", numbers.map(ping), numbers.map(pong), chop: 1),
    ]
  }()

  // MARK: 3. Reserved bits

  private static let reservedBits: [AutobahnCase] = {
    let hello = "Hello, world!"
    func text(_ reserved: UInt8) -> [UInt8] { Frame(1, Array(hello.utf8)).bytes(reserved: reserved) }
    let before = (send: text(0), replies: [echo(hello)])
    return [
      AutobahnCase("3.1", [text(0x10)], [], .ends(1002)),
      AutobahnCase("3.2", steps: [before, (text(0x20) + ping(""), [])], .ends(1002)),
      AutobahnCase("3.3", steps: [before, (text(0x30), []), (ping(""), [])], .ends(1002)),
      AutobahnCase("3.4", steps: [before, (text(0x40) + ping(""), [])], .ends(1002), chop: 1),
      AutobahnCase("3.5", [Frame(2, [1]).bytes(reserved: 0x50)], [], .ends(1002)),
      AutobahnCase("3.6", [Frame(9, [1]).bytes(reserved: 0x60)], [], .ends(1002)),
      AutobahnCase("3.7", [Frame(8, code(1000)).bytes(reserved: 0x70)], [], .ends(1002)),
    ]
  }()

  // MARK: 4. Opcodes

  private static let opcodes: [AutobahnCase] = {
    let hello = "Hello, world!"
    var cases: [AutobahnCase] = []
    for (section, first) in [(1, UInt8(3)), (2, 11)] {
      for number in 0..<5 {
        let opcode = first + UInt8(number)
        let frame = Frame(opcode, number == 1 ? Array("reserved".utf8) : []).bytes()
        let id = "4.\(section).\(number + 1)"
        cases.append(
          number < 2
            ? AutobahnCase(id, [frame], [], .ends(1002))
            : AutobahnCase(id, steps: [(text(hello), [echo(hello)]), (frame + ping(""), [])], .ends(1002), chop: number == 4 ? 1 : nil))
      }
    }
    return cases
  }()

  // MARK: 5. Fragmentation

  private static let fragmentation: [AutobahnCase] = {
    let (one, two) = ("fragment1", "fragment2")
    let (first, last) = (text(one, isFinal: false), rest(two))
    let whole = echo(one + two)
    let hello = text("Hello, world!")
    func stray(_ isFinal: Bool) -> [UInt8] { rest("non-continuation payload", isFinal: isFinal) }
    return [
      AutobahnCase("5.1", [Frame(9, Array(one.utf8), isFinal: false).bytes(), last], [], .ends(1002)),
      AutobahnCase("5.2", [Frame(10, Array(one.utf8), isFinal: false).bytes(), last], [], .ends(1002)),
      AutobahnCase("5.3", [first, last], [whole]),
      AutobahnCase("5.4", [first, last], [whole], chop: 1),
      AutobahnCase("5.5", steps: [(first, []), (last, [whole])], chop: 1),
      AutobahnCase("5.6", [first, ping("ping"), last], [pong("ping"), whole]),
      AutobahnCase("5.7", steps: [(first, []), (ping("ping"), [pong("ping")]), (last, [whole])]),
      AutobahnCase("5.8", [first, ping("ping"), last], [pong("ping"), whole], chop: 1),
      AutobahnCase("5.9", [stray(true), hello], [], .ends(1002)),
      AutobahnCase("5.10", steps: [(stray(true), []), (hello, [])], .ends(1002)),
      AutobahnCase("5.11", [stray(true), hello], [], .ends(1002), chop: 1),
      AutobahnCase("5.12", [stray(false), hello], [], .ends(1002)),
      AutobahnCase("5.13", steps: [(stray(false), []), (hello, [])], .ends(1002)),
      AutobahnCase("5.14", [stray(false), hello], [], .ends(1002), chop: 1),
      AutobahnCase("5.15", steps: [(first + last, [whole]), (rest("fragment3", isFinal: false) + text("fragment4"), [])], .ends(1002)),
      AutobahnCase("5.16", [rest(one, isFinal: false), text(two, isFinal: false), rest("fragment3")], [], .ends(1002)),
      AutobahnCase("5.17", [rest(one), text(two, isFinal: false), rest("fragment3")], [], .ends(1002)),
      AutobahnCase("5.18", [first, text(two)], [], .ends(1002)),
      AutobahnCase(
        "5.19",
        [
          first, rest(two, isFinal: false), ping("ping1"), rest("fragment3", isFinal: false), rest("fragment4", isFinal: false),
          ping("ping2"),
          rest("fragment5"),
        ], [pong("ping1"), pong("ping2"), echo("fragment1fragment2fragment3fragment4fragment5")]),
      AutobahnCase(
        "5.20",
        steps: [
          (first + rest(two, isFinal: false) + ping("ping1"), [pong("ping1")]),
          (rest("fragment3", isFinal: false) + rest("fragment4", isFinal: false) + ping("ping2"), [pong("ping2")]),
          (rest("fragment5"), [echo("fragment1fragment2fragment3fragment4fragment5")]),
        ]),
    ]
  }()

  // MARK: 6. UTF-8

  private static func fragments(_ bytes: [UInt8], each size: Int, _ opcode: UInt8 = 1) -> [[UInt8]] {
    let starts = Array(stride(from: 0, to: bytes.count, by: size))
    return starts.map { start in
      Frame(start == 0 ? opcode : 0, Array(bytes[start..<min(bytes.count, start + size)]), isFinal: start == starts.last).bytes()
    }
  }

  private static let utf8: [AutobahnCase] = {
    let greeting = "Hello-µ@ßöäüàá-UTF-8!!"
    let greek: [UInt8] = Array("κόσμε".utf8)
    let wrong: [UInt8] = greek + [0xED, 0xA0, 0x80] + Array("edited".utf8)
    let beyond: [UInt8] = [0xF4, 0x90, 0x80, 0x80]
    let pieces = Frame(1, greek, isFinal: false).bytes()
    let whole = Frame(1, greek + beyond + Array("edited".utf8)).bytes()
    return [
      AutobahnCase("6.1.1", [text("")], [echo("")]),
      AutobahnCase("6.1.2", [text("", isFinal: false), rest("", isFinal: false), rest("")], [echo("")]),
      AutobahnCase(
        "6.1.3", [text("", isFinal: false), rest("middle frame payload", isFinal: false), rest("")], [echo("middle frame payload")]),
      AutobahnCase("6.2.1", [text(greeting)], [echo(greeting)]),
      AutobahnCase("6.2.2", [text("Hello-µ@ßöä", isFinal: false), rest("üàá-UTF-8!!")], [echo(greeting)]),
      AutobahnCase("6.2.3", fragments(Array(greeting.utf8), each: 1), [echo(greeting)]),
      AutobahnCase("6.2.4", fragments(greek, each: 1), [Frame(1, greek)]),
      AutobahnCase("6.3.1", [Frame(1, wrong).bytes()], [], .ends(1007)),
      AutobahnCase("6.3.2", fragments(wrong, each: 1), [], .ends(1007)),
      // The client fails before the message is complete, so the server does not send the rest.
      AutobahnCase("6.4.1", steps: [(pieces, []), (Frame(0, beyond, isFinal: false).bytes(), [])], .ends(1007)),
      AutobahnCase(
        "6.4.2",
        steps: [(pieces, []), (Frame(0, [0xF4], isFinal: false).bytes(), []), (Frame(0, [0x90], isFinal: false).bytes(), [])], .ends(1007)),
      AutobahnCase("6.4.3", steps: [(Array(whole.prefix(2 + greek.count)), []), (beyond, [])], .ends(1007)),
      AutobahnCase("6.4.4", steps: [(Array(whole.prefix(2 + greek.count + 1)), []), ([0x90], [])], .ends(1007)),
    ]
  }()

  /// Byte sequences from https://www.cl.cam.ac.uk/~mgk25/ucs/examples/UTF-8-test.txt, in hexadecimal; `!` marks the invalid sequences.
  private static let sequences: [[String]] = [
    [
      "68656c6c6f24776f726c64", "68656c6c6fc2a2776f726c64", "68656c6c6fe282ac776f726c64", "68656c6c6ff0a4ada2776f726c64",
      "cebae1bdb9cf83cebcceb5",
    ],
    [
      "!ce", "ceba", "!cebae1", "!cebae1bd", "cebae1bdb9", "!cebae1bdb9cf", "cebae1bdb9cf83", "!cebae1bdb9cf83ce", "cebae1bdb9cf83cebc",
      "!cebae1bdb9cf83cebcce", "cebae1bdb9cf83cebcceb5",
    ],
    ["00", "c280", "e0a080", "f0908080"], ["!f888808080", "!fc8480808080"], ["7f", "dfbf", "efbfbf", "f48fbfbf"],
    ["!f7bfbfbf", "!fbbfbfbfbf", "!fdbfbfbfbfbf"], ["ed9fbf", "ee8080", "efbfbd", "f48fbfbf", "!f4908080"],
    ["!80", "!bf", "!80bf", "!80bf80", "!80bf80bf", "!80bf80bf80", "!80bf80bf80bf", "!" + (0x80...0xBE).map { Hex.encode([$0]) }.joined()],
    [0xC0...0xDE, 0xE0...0xEE, 0xF0...0xF6, 0xF8...0xFA, 0xFC...0xFC].map { "!" + $0.map { Hex.encode([$0, 0x20]) }.joined() },
    incomplete.map { "!" + $0 }, ["!" + incomplete.joined()], ["!fe", "!ff", "!fefeffff"],
    ["!c0af", "!e080af", "!f08080af", "!f8808080af", "!fc80808080af"], ["!c1bf", "!e09fbf", "!f08fbfbf", "!f887bfbfbf", "!fc83bfbfbfbf"],
    ["!c080", "!e08080", "!f0808080", "!f880808080", "!fc8080808080"],
    ["!eda080", "!edadbf", "!edae80", "!edafbf", "!edb080", "!edbe80", "!edbfbf"],
    ["eda080", "edadbf", "edae80", "edafbf"].flatMap { high in ["edb080", "edbfbf"].map { "!" + high + $0 } }, nonCharacters,
    ["efbfb9", "efbfba", "efbfbb", "efbfbc", "efbfbd", "efbfbe", "efbfbf"],
  ]

  private static let incomplete = [
    "c0", "e080", "f08080", "f8808080", "fc80808080", "df", "efbf", "f7bfbf", "fbbfbfbf", "fdbfbfbfbf",
  ]

  private static let nonCharacters: [String] = {
    let planes =
      ["f09f", "f0af", "f0bf"] + ["f1", "f2", "f3"].flatMap { first in ["8f", "9f", "af", "bf"].map { first + $0 } } + ["f48f"]
    return ["efbfbe", "efbfbf"] + planes.flatMap { [$0 + "bfbe", $0 + "bfbf"] }
  }()

  private static let utf8Sequences: [AutobahnCase] = sequences.enumerated().flatMap { section, sequences in
    sequences.enumerated().compactMap { number, sequence -> AutobahnCase? in
      let isValid = !sequence.hasPrefix("!")
      guard let bytes = try? Hex.decode(sequence.filter { $0 != "!" }) else { return nil }
      return AutobahnCase(
        "6.\(section + 5).\(number + 1)", [Frame(1, bytes).bytes()], isValid ? [Frame(1, bytes)] : [], isValid ? .closes : .ends(1007))
    }
  }

  // MARK: 7. Closing

  private static let closing: [AutobahnCase] = {
    func answer(_ payload: [UInt8]) -> [Frame] { [Frame(8, payload)] }
    let reason = String(repeating: "*", count: 123)
    var cases = [
      AutobahnCase("7.1.1", [text("Hello World!")], [echo("Hello World!")]),
      // Frames after the close frame are not answered. The response to the close frame is the one of `closes`.
      AutobahnCase("7.1.2", [close(code(1000)), close(code(1000))], []),
      AutobahnCase("7.1.3", [close(code(1000)), ping("")], []),
      AutobahnCase("7.1.4", [close(code(1000)), text("Hello World!")], []),
      AutobahnCase("7.1.5", [text("fragment1", isFinal: false), close(code(1000)), rest("fragment2")], []),
      AutobahnCase(
        "7.1.6",
        steps: [
          (text(String(repeating: "*", count: 256 << 10)), [echo(String(repeating: "*", count: 256 << 10))]),
          (close(code(1000)) + ping(""), []),
        ]),
      AutobahnCase("7.3.2", [close([0x03])], [], .ends(1002)),
      AutobahnCase("7.3.3", [close(code(1000))], []),
      AutobahnCase("7.3.4", [close(code(1000, "Hello World!"))], []),
      AutobahnCase("7.3.5", [close(code(1000, reason))], []),
      AutobahnCase("7.3.6", [close(code(1000, reason + "*"))], [], .ends(1002)),
      AutobahnCase("7.5.1", [close(code(1000) + [0xCE, 0xBA, 0xED, 0xA0, 0x80])], [], .ends(1007)),
    ]
    for (index, number) in ([1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999] as [UInt16]).enumerated() {
      // The client's close frame has the same code as the server's.
      cases.append(AutobahnCase("7.7.\(index + 1)", [close(code(number))], [], .ends(number)))
    }
    // The suite is older than these codes, which IANA has registered since.
    for number in 1012...1014 as ClosedRange<UInt16> {
      cases.append(AutobahnCase("7.7, \(number)", [close(code(number))], [], .ends(number)))
    }
    for (index, number) in ([0, 999, 1004, 1005, 1006, 1016, 1100, 2000, 2999] as [UInt16]).enumerated() {
      cases.append(AutobahnCase("7.9.\(index + 1)", [close(code(number))], [], .ends(1002)))
    }
    for (index, number) in ([5000, 65_535] as [UInt16]).enumerated() {
      cases.append(AutobahnCase("7.13.\(index + 1)", [close(code(number))], [], .ends(1002)))
    }
    return cases
  }()

  // MARK: 9. Limits, and 10. Fragmentation by the sender

  /// The cases with sizes over 1 MiB run only in `make test-deep`.
  private static let limits: [AutobahnCase] = {
    var cases: [AutobahnCase] = []
    let sizes = [64, 256, 1_024, 4_096, 8_192, 16_384].map { $0 << 10 }.prefix(DeepTests.rounds(6, otherwise: 3))
    for (index, size) in sizes.enumerated() {
      let (letters, bytes) = (String(repeating: "*", count: size), [UInt8](repeating: 0xFE, count: size))
      cases.append(AutobahnCase("9.1.\(index + 1)", [text(letters)], [echo(letters)]))
      cases.append(AutobahnCase("9.2.\(index + 1)", [binary(bytes)], [Frame(2, bytes)]))
    }
    let size = DeepTests.rounds(4 << 20, otherwise: 256 << 10)
    // Odd sections are messages of text, even ones of bytes.
    for (offset, opcode) in ([1, 2] as [UInt8]).enumerated() {
      let bytes = [UInt8](repeating: opcode == 1 ? 0x2A : 0xFE, count: size)
      for (index, fragment) in [64, 256, 1 << 10, 4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20].enumerated() {
        cases.append(AutobahnCase("9.\(3 + offset).\(index + 1)", fragments(bytes, each: fragment, opcode), [Frame(opcode, bytes)]))
      }
      for (index, chop) in [64, 128, 256, 512, 1_024, 2_048].enumerated() {
        cases.append(AutobahnCase("9.\(5 + offset).\(index + 1)", [Frame(opcode, bytes).bytes()], [Frame(opcode, bytes)], chop: chop))
      }
    }
    for (index, size) in [0, 16, 64, 256, 1_024, 4_096].enumerated() {
      for (offset, opcode) in ([1, 2] as [UInt8]).enumerated() {
        let frame = Frame(opcode, [UInt8](repeating: opcode == 1 ? 0x2A : 0xFE, count: size))
        let rounds = Array(repeating: (send: frame.bytes(), replies: [frame]), count: DeepTests.rounds(1_000, otherwise: 50))
        cases.append(AutobahnCase("9.\(7 + offset).\(index + 1)", steps: rounds))
      }
    }
    cases.append(
      AutobahnCase(
        "10.1.1", fragments([UInt8](repeating: 0x2A, count: 65_536), each: 1_300), [Frame(1, [UInt8](repeating: 0x2A, count: 65_536))]))
    return cases
  }()
}
