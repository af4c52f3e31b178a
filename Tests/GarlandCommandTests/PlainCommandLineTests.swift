import ArgumentParser
import TestSupport
import Testing

@testable import garland

/// What is read without the argument parser is read as the argument parser reads it.
struct PlainCommandLineTests {
  @Test func runIsReadAlike() throws { try expectAlike(RunCommand.self, seed: 1) }
  @Test func checkIsReadAlike() throws { try expectAlike(CheckCommand.self, seed: 2) }
  @Test func planIsReadAlike() throws { try expectAlike(PlanCommand.self, seed: 3) }

  @Test(arguments: [
    ["-"], ["--"], [""], ["-j4"], ["-qv"], ["-x"], ["--nope"], ["--quiet=1"], ["--var"], ["--var", "-x"], ["--var="], ["--quiet", "-v"],
    ["-h"], ["--help"], ["--serial", "--shuffle", "7"], ["-j", "0"], ["--report", "nope=a"], ["--deadline", "soon"],
    ["--generate-completion-script", "bash"],
  ])
  func whatIsUnusualOrWrongIsLeftToTheArgumentParser(_ words: [String]) {
    #expect(throws: NotPlain.self) { try RunCommand(plain: words[...]) }
  }

  /// Random lines of the options that the help lists: what is accepted must come out as from the argument parser.
  private func expectAlike<Command: PlainCommand>(_ type: Command.Type, seed: UInt64) throws {
    let options = Self.options(of: type)
    try #require(options.count > 10)
    for option in options {
      for line in option.spellings {
        #expect(throws: Never.self, "\(line): add it to PlainCommands.swift") { try Command(plain: line[...]) }
      }
    }
    var random = SeededRandom(seed: seed)
    let strays = ["", "-", "--", "-j4", "-qv", "-x", "--nope", "--quiet=1", "--var", "-j", "--report", "help", "-1"]
    var accepted = 0
    for _ in 0..<600 {
      var line: [String] = []
      for _ in 0..<Int.random(in: 0...7, using: &random) {
        switch Int.random(in: 0..<40, using: &random) {
        case 0: line.append(strays[Int.random(in: 0..<strays.count, using: &random)])
        case 1...12: line.append(["a.yaml", "login", "tests/", "é", "a b"][Int.random(in: 0..<5, using: &random)])
        default:
          let spellings = options[Int.random(in: 0..<options.count, using: &random)].spellings
          line += spellings[Int.random(in: 0..<spellings.count, using: &random)]
        }
      }
      guard let plain = try? Command(plain: line[...]) else { continue }
      accepted += 1
      let parsed = try Command.parse(line)
      #expect(Self.text(plain) == Self.text(parsed), "\(line)")
    }
    // Otherwise this would say nothing.
    #expect(accepted > 200)
  }

  @Test func theComparisonSeesADifference() throws {
    let plain = try RunCommand(plain: ["a.yaml", "-j", "4"])
    #expect(Self.text(plain) != Self.text(try RunCommand.parse(["a.yaml", "-j", "5"])))
    #expect(Self.text(plain) != Self.text(try RunCommand.parse(["b.yaml", "-j", "4"])))
    #expect(Self.text(plain) != Self.text(try RunCommand.parse(["a.yaml", "-j", "4", "--tag", "x"])))
  }

  private static func text(_ command: some ParsableCommand) -> String {
    var text = ""
    dump(command, to: &text)
    return text
  }

  private struct Option {
    var spellings: [[String]]
  }

  /// What the help lists, with values that fit.
  private static func options(of type: (some ParsableCommand).Type) -> [Option] {
    let values = [
      "count": "3", "seed": "7", "duration": "5s", "kind=file": "junit=a.xml", "when": "always", "what": "body", "name=value": "a=b",
      "format": "text", "show": "body", "color": "never",
    ]
    return type.helpMessage(columns: 400).split(separator: "\n").compactMap { line in
      guard line.hasPrefix("  -") else { return nil }
      let end = line.position(of: "  ", from: 4) ?? line.endIndex
      let words = line[..<end].split(separator: " ").map { $0.hasSuffix(",") ? String($0.dropLast()) : String($0) }
      let names = words.filter { $0.hasPrefix("-") }
      guard !names.contains("--help"), !names.contains("--version") else { return nil }
      guard let placeholder = words.first(where: { $0.hasPrefix("<") }) else { return Option(spellings: names.map { [$0] }) }
      let value = values[String(placeholder.dropFirst().dropLast())] ?? "x"
      return Option(spellings: names.flatMap { $0.hasPrefix("--") ? [[$0, value], ["\($0)=\(value)"]] : [[$0, value]] })
    }
  }
}

extension Substring {
  /// Where a text begins, at least `offset` characters from the start.
  fileprivate func position(of text: String, from offset: Int) -> Index? {
    var position = index(startIndex, offsetBy: offset, limitedBy: endIndex) ?? endIndex
    while position != endIndex {
      if self[position...].hasPrefix(text) { return position }
      position = index(after: position)
    }
    return nil
  }
}
