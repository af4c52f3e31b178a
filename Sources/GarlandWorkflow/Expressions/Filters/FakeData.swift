import GarlandText

/// A generator of test data, such as names. In all runs with the same seed, a function call in a document produces the same data.
///
/// A value depends only on the seed of the run, the document, the step, the loop item and the position of the function call. Neither the
/// order in which steps run nor a retry changes it.
struct FakeData {
  private var generator: SeededGenerator

  /// Creates a generator.
  ///
  /// - Parameters:
  ///   - seed: the seed of the run.
  ///   - parts: numbers that distinguish this function call from other calls.
  init(seed: UInt64, _ parts: [UInt64]) {
    var first = SeededGenerator(seed: seed)
    generator = SeededGenerator(
      seed: parts.reduce(first.next()) { SeededGenerator.mixed($0 ^ ($1 &* 0x9E37_79B9_7F4A_7C15)) })
  }

  /// Returns the next random number.
  mutating func next() -> UInt64 { generator.next() }

  private mutating func pick(_ list: [String]) -> String { list[Int(next() % UInt64(list.count))] }

  /// Returns a name such as `Ada Keller`.
  mutating func name() -> String { "\(pick(Self.firstNames)) \(pick(Self.lastNames))" }

  /// Returns an address such as `ada.keller4821@example.com`. The domain is reserved for examples (RFC 2606, section 3), so that no mail
  /// reaches a real person.
  mutating func email() -> String { "\(pick(Self.firstNames)).\(pick(Self.lastNames))\(next() % 1_000_000)@example.com".lowercased() }

  /// Returns random words, separated by spaces.
  ///
  /// - Parameter count: the number of words.
  mutating func words(_ count: Int) -> String { (0..<count).map { _ in pick(Self.words) }.joined(separator: " ") }

  private static let firstNames = list(
    """
    Ada Alan Amir Anna Aya Ben Carla Chen Clara Dana David Diego Elif Ella Emil Emma Eva Farid Felix Finn Frida George Grace Hana Hugo Ida Ines Ivan Jana Jonas
    Julia Kenji Lara Leo Lina Luca Maja Marie Marta Max Mila Mina Nadia Nils Noah Nora Olga Omar Oscar Paul Petra Priya Rosa Ruth Sami Sara Sofia Tara Theo Tom
    Vera Yara Yusuf Zoe
    """)
  private static let lastNames = list(
    """
    Adams Ahmed Baker Bauer Berg Bianchi Brown Castro Chen Clark Costa Cruz Dahl Davis Diaz Evans Fischer Fontaine Garcia Gray Haas Hansen Hill Holm Ito Ivanov
    Jensen Jones Kaya Keller Kim Klein Kovac Kumar Lange Larsen Lee Lopez Martin Meyer Moreau Moretti Nagy Novak Okafor Olsen Park Patel Petrov Quinn Rossi Roy
    Sato Schmid Silva Singh Smith Suzuki Tanaka Torres Vogel Weber Wilson Young
    """)
  private static let words = list(
    """
    amber anchor apple arrow autumn basket beacon bench birch bottle branch bridge bright brook button candle canvas cedar circle clever cloud clover cobalt copper
    coral cotton crystal daily dawn delta desert early eastern echo ember engine fabric falcon feather fern field forest frozen garden gentle ginger glass golden
    grain granite harbor harvest hollow honey humble indigo island ivory jacket jasmine journey kettle kind ladder lantern leaf lemon linen little lucky maple
    marble meadow mellow mint mirror modern morning mountain narrow needle noble north novel oak ocean olive orange orchard paper pearl pebble pepper pine planet
    pocket polar prairie quiet rapid raven ribbon river rocket saddle salt sandy scarlet secret shadow silver simple sketch slate solar spring steady stone summer
    sunny timber travel tulip valley velvet violet walnut water willow window winter yellow zephyr
    """)

  private static func list(_ text: String) -> [String] { text.split(whereSeparator: \.isWhitespace).map(String.init) }
}
