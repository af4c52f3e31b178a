import FoundationEssentials
import FuzzTargets
import TestSupport
import Testing

/// A short run of what `make fuzz` does for minutes: the same inputs each time, so that a failure can be repeated.
@Suite(.timeLimit(.minutes(15))) struct FuzzRunTests {
  /// The texts that a target starts from.
  static func seeds(_ target: FuzzTarget) -> [[UInt8]] {
    if target == .documents {
      return files("Tests/Fixtures/Mistakes", ".yaml") + files("examples", ".yaml")
    }
    let text = FileManager.default.contents(atPath: Repository.path("Tests/Fuzz/Seeds/\(target.rawValue).txt")) ?? Data()
    return [UInt8](text).split(separator: 0x0A).map(Array.init) + [[UInt8](text)]
  }

  /// Inputs that a long run has found once: they must not fail again.
  static func regressions(_ target: FuzzTarget) -> [[UInt8]] { files("Tests/Fuzz/Regressions/\(target.rawValue)", "") }

  private static func files(_ folder: String, _ suffix: String) -> [[UInt8]] {
    let names = (FileManager.default.subpaths(atPath: Repository.path(folder)) ?? []).filter { $0.hasSuffix(suffix) }.sorted()
    return names.compactMap { FileManager.default.contents(atPath: Repository.path("\(folder)/\($0)")).map { [UInt8]($0) } }
      .filter { !$0.isEmpty && $0.count < 65_536 }
  }

  static let pieces: [[UInt8]] = [
    "${", "}", "vars.", " | ", " ?? ", ": ", "- ", "\n", "\n  ", "\n    ", "{", "}", "[", "]", "'", "\"", "&a ", "*a", "<<: *a", "#", " #",
    "\t",
    "\u{0}", "é", "😀", "1e999", "-1", "null", "true", "$.", "$..", "[*]", "\\", "(", ")", "get: /x", "expect: ", "steps:", ",",
    "99999999999999999999",
  ].map { Array($0.utf8) }

  @Test(arguments: FuzzTarget.allCases)
  func `each fuzz target accepts all seed files, the inputs of earlier crashes and mutated inputs`(
    target: FuzzTarget
  ) {
    let seeds = Self.seeds(target)
    #expect(!seeds.isEmpty)
    for input in seeds + Self.regressions(target) { expectNone(target, input) }
    var random = SeededRandom(seed: 20)
    let rounds = DeepTests.rounds(target == .documents ? 1_000 : 2_500, otherwise: target == .documents ? 250 : 600)
    for _ in 0..<rounds {
      var input = seeds.randomElement(using: &random) ?? []
      for _ in 0..<Int.random(in: 1...4, using: &random) { Self.change(&input, seeds, &random) }
      expectNone(target, input)
    }
  }

  private func expectNone(_ target: FuzzTarget, _ input: [UInt8]) {
    guard let violation = target.violation(of: input) else { return }
    Issue.record("\(violation)\n\(String(decoding: input, as: UTF8.self))")
  }

  private static func change(_ input: inout [UInt8], _ seeds: [[UInt8]], _ random: inout SeededRandom) {
    let at = Int.random(in: 0...input.count, using: &random)
    switch Int.random(in: 0..<5, using: &random) {
    case 0: input.insert(contentsOf: pieces.randomElement(using: &random) ?? [], at: at)
    case 1: input.removeSubrange(at..<min(input.count, at + Int.random(in: 0...9, using: &random)))
    case 2: if at < input.count { input[at] = UInt8.random(in: 0...255, using: &random) }
    case 3:
      let end = min(input.count, at + Int.random(in: 0...40, using: &random))
      input.insert(contentsOf: input[at..<end], at: Int.random(in: 0...input.count, using: &random))
    default:
      let other = seeds.randomElement(using: &random) ?? []
      let start = Int.random(in: 0...other.count, using: &random)
      input.insert(contentsOf: other[start..<min(other.count, start + 60)], at: at)
    }
  }
}
