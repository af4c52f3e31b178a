import ArgumentParser
import FoundationEssentials
import TestSupport
import Testing

@testable import garland

/// Tests of the command lines in the documentation.
@Suite struct DocumentedCommandTests {
  /// A command line of a page, without shell syntax around it.
  struct Line: Sendable, CustomTestStringConvertible {
    let page: String
    let number: Int
    let words: [String]
    var testDescription: String { "\(page):\(number): garland \(words.joined(separator: " "))" }
  }

  static let lines: [Line] = DocumentationTests.pages.flatMap { page -> [Line] in
    guard let data = try? Data(contentsOf: URL(filePath: Repository.path(page))) else { return [] }
    var isShell = false
    var found: [Line] = []
    for (index, line) in String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if line.hasPrefix("```") {
        isShell = line == "```sh"
      } else if isShell, let words = words(of: line) {
        found.append(Line(page: page, number: index + 1, words: words))
      }
    }
    return found
  }

  /// Returns the words after the first `garland` that begins a command; nil if there is none.
  private static func words(of line: Substring) -> [String]? {
    guard let start = line.firstMatch(of: #/(?:^|[ (|])garland /#), !line.hasPrefix("#") else { return nil }
    var words: [String] = []
    var word = ""
    var quote: Character?
    for character in line[start.range.upperBound...] {
      if let open = quote {
        if character == open { quote = nil } else { word.append(character) }
      } else if character == "'" || character == "\"" {
        quote = character
      } else if "|<>)#&;".contains(character), character != "#" || word.isEmpty {
        break
      } else if character == " " {
        if !word.isEmpty { words.append(word) }
        word = ""
      } else {
        word.append(character)
      }
    }
    return word.isEmpty ? words : words + [word]
  }

  @Test func `the tests find more than 50 command lines in the documentation`() {
    #expect(Self.lines.count > 50)
  }

  @Test(arguments: lines) func `the argument parser accepts every command line of the documentation`(line: Line) {
    do {
      _ = try GarlandCommand.parseAsRoot(line.words.first == "check" ? FixMode.spellingOut(line.words) : line.words)
    } catch {
      // The output of help and of the version is thrown as an error, too.
      #expect(GarlandCommand.exitCode(for: error) == .success, "\(GarlandCommand.message(for: error))")
    }
  }
}
