import TestSupport

/// The content of the messages in sections 12 and 13 of the Autobahn test suite. The suite reads files; these contents resemble them.
enum AutobahnContent: String, Sendable {
  /// A large file of JSON, in messages of text.
  case json
  /// The bytes of a grey picture with noise, which compress little.
  case picture
  /// The bytes of a compressed document, which do not compress.
  case noise
  /// German prose, as bytes.
  case prose
  /// A large file of HTML, in messages of text.
  case html

  /// The opcode of the messages.
  var opcode: UInt8 {
    switch self {
    case .json, .html: 1
    case .picture, .noise, .prose: 2
    }
  }

  /// Returns a message with this number of bytes. Each round has another message.
  func bytes(_ size: Int, round: Int) -> [UInt8] {
    var random = SeededRandom(seed: UInt64(round &+ size))
    switch self {
    case .noise: return (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) }
    case .picture: return (0..<size).map { UInt8(truncatingIfNeeded: $0 / 8 + Int.random(in: 0...7, using: &random)) }
    case .json: return Self.joined(size, from: round) { "{\"number\": \($0 &* 7919), \"name\": \"n\($0 % 97)\"}," }
    case .html: return Self.joined(size, from: round) { "<tr id=\"row\($0)\"><td class=\"name\">\($0 &* 7919)</td></tr>\n" }
    case .prose:
      let words = ["Habe", "nun", "ach", "Philosophie", "Juristerei", "durchaus", "studiert", "mit", "heißem", "Bemühn"]
      return Self.joined(size, from: round) { _ in (words.randomElement(using: &random) ?? "") + " " }
    }
  }

  /// Joins pieces to a text of this number of bytes. All pieces of a message of text are ASCII, so the end can be cut anywhere.
  private static func joined(_ size: Int, from number: Int, _ piece: (Int) -> String) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size + 64)
    var number = number
    while bytes.count < size {
      bytes += piece(number).utf8
      number += 1
    }
    bytes.removeLast(bytes.count - size)
    return bytes
  }
}
