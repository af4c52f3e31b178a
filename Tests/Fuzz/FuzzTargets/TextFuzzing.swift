import GarlandJSON
import GarlandWorkflow

/// Rows, patterns and XPaths.
enum TextFuzzing {
  static func tableViolation(of input: [UInt8]) -> String? {
    guard let first = input.first else { return nil }
    let format = RowsFormat.allCases[Int(first) % RowsFormat.allCases.count]
    let rows: RowsFile
    do throws(RowsError) { rows = try RowsFile(Array(input.dropFirst()), format) } catch { return error.message.isEmpty ? "no words" : nil }
    for index in 0..<min(rows.count, 50) {
      let row = rows[index]
      guard let names = rows.names, format == .csv || format == .tsv else { continue }
      guard let object = row.objectValue, object.keys.allSatisfy(names.contains) else {
        return "row \(index) has other names than the first line"
      }
    }
    return nil
  }

  static func patternViolation(of input: [UInt8]) -> String? {
    let (pattern, rest) = InputSplit.halves(input)
    let text = String(decoding: rest, as: UTF8.self)
    let limits = RegularExpression.Limits(steps: 50_000, memory: 20_000, duration: .seconds(1))
    let expressions = [
      try? RegularExpression(pattern, limits: limits), try? RegularExpression(ecmaScript: pattern, limits: limits),
      try? RegularExpression(iRegexp: pattern, matchesWholeText: false, limits: limits),
    ]
    for case let expression? in expressions {
      guard let matches = try? expression.matches(in: text, limit: 100) else { continue }
      for match in matches {
        guard match.range.upperBound <= text.utf8.count else { return "a match beyond the end" }
        for group in match.groups { if let group, group.range.upperBound > text.utf8.count { return "a group beyond the end" } }
      }
      guard let found = try? expression.matches(text), found == !matches.isEmpty else { return "matches and does not" }
    }
    return nil
  }

  static func xpathViolation(of input: [UInt8]) -> String? {
    do throws(XPathSyntaxError) {
      _ = try XPath(String(decoding: input, as: UTF8.self))
    } catch {
      let count = String(decoding: input, as: UTF8.self).utf8.count
      guard error.range.lowerBound >= 0, error.range.upperBound <= count else { return "\(error.message) beyond the end" }
    }
    return nil
  }
}
