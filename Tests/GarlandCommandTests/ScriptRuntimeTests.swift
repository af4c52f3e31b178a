import Foundation
import TestSupport
import Testing

/// Tests the runtime that exported scripts contain, as text. The scripts call the methods of the class `Run`.
@Suite struct ScriptRuntimeTests {
  @Test(arguments: ["locust.py", "k6.js"])
  func `in the helper class that every exported script contains, no property has the same name as a method`(file: String)
    throws
  {
    let text = String(
      decoding: try Data(contentsOf: URL(filePath: Repository.path("Sources/GarlandExport/Runtime/\(file)"))), as: UTF8.self)
    let runtime = try #require(text.components(separatedBy: "class Run").last)
    func name(_ text: Substring) -> String { String(text.prefix { $0.isLetter || $0.isNumber || $0 == "_" }) }
    let lines = runtime.split(separator: "\n")
    let methods = Set(
      lines.compactMap { line -> String? in
        let indented =
          line.hasPrefix("    def ") ? line.dropFirst(8) : line.hasPrefix("  ") && line.hasSuffix(") {") ? line.dropFirst(2) : ""
        return indented.first?.isLetter == true && indented.contains("(") ? name(indented) : nil
      })
    let state = Set(
      lines.filter { $0.contains(" = ") }.flatMap { line -> [String] in
        let assigned = line[..<(line.firstRange(of: " = ")?.lowerBound ?? line.endIndex)]
        return ["self.", "this."].flatMap { assigned.components(separatedBy: $0).dropFirst().map { name($0[...]) } }
      })
    #expect(methods.count > 40 && !state.isEmpty && methods.isDisjoint(with: state), "\(methods.intersection(state))")
  }
}
