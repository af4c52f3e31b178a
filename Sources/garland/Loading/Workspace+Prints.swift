import GarlandDiagnostics
import GarlandPlanner
import GarlandRunner
import GarlandWorkflow

extension Workspace {
  /// Compiles a value of `--print`. Reports an error and returns nil in three cases:
  ///
  /// - The value contains no expression.
  /// - The value is valid in no document of the plan.
  /// - The value is valid in several documents, and its expressions are not constant.
  mutating func compile(_ text: String, in plan: Plan) -> RunPrint? {
    var candidates: [RunPrint] = []
    var problems: [DiagnosticList] = []
    for (index, workflow) in plan.workflows.enumerated() {
      var found = DiagnosticList()
      if let template = workflow.template(text, name: "--print", into: &found) {
        candidates.append(RunPrint(template, workflow: index))
      } else {
        problems.append(found)
      }
    }
    guard let first = candidates.first else {
      report(Self.mistakes(of: text, problems, in: plan))
      return nil
    }
    if first.isConstant {
      // An expression such as `${'a' | md5}` gives the same value in every document.
      guard !text.contains("${") else { return first }
      report(
        Diagnostic("constant-print", "`--print` has no expression in it", at: first.template.range)
          .help("write an expression in single quotes, so that the shell does not expand it: --print '${login.token}'"))
      return nil
    }
    guard candidates.count == 1 else {
      let names = candidates.prefix(8).map { plan.workflows[$0.workflow].file.name }.joined(separator: ", ")
      report(
        Diagnostic("ambiguous-print", "several documents have the name of `--print`: \(names)", at: first.template.range)
          .help("run only one of the documents"))
      return nil
    }
    return first
  }

  /// Returns the mistakes to report for a value of `--print` that is invalid in every document.
  ///
  /// - Parameters:
  ///   - text: the value of `--print`.
  ///   - found: for each document, the mistakes that the value has in this document.
  ///   - plan: the plan of all documents.
  private static func mistakes(of text: String, _ found: [DiagnosticList], in plan: Plan) -> DiagnosticList {
    func isUnknownName(_ list: DiagnosticList) -> Bool { list.all.contains { $0.code == .undefinedName } }
    // The mistakes in the scope of a document that defines the names are more precise.
    if let precise = found.first(where: { !isUnknownName($0) }) { return precise }
    guard let only = found.first else { return DiagnosticList() }
    guard plan.workflows.count > 1, let first = only.all.first(where: { $0.code == .undefinedName }), let range = first.range else {
      return only
    }
    let name = String(decoding: range.file.bytes[range.offsets], as: UTF8.self)
    let isAfterDot = range.offsets.lowerBound > 0 && range.file.bytes[range.offsets.lowerBound - 1] == UInt8(ascii: ".")
    // Another mistake than an unknown step, such as one about an entry of `auth`.
    guard !isAfterDot, !name.contains(where: { ".${}( ".contains($0) }) else { return only }
    // The help of a single document would list only its own steps.
    let near = Suggestion.nearest(to: name, in: Set(plan.steps.map(\.step.id)).sorted())
    let help =
      withoutDocument(text, name, at: range.offsets, in: plan).map { "write the step without its document: `--print '\($0)'`" }
      ?? near.map { "did you mean `\($0)`?" } ?? "`garland list` shows the steps of all documents"
    var list = DiagnosticList()
    list.report(Diagnostic(first.code, first.message, at: range).help(help))
    return list
  }

  /// Removes the name of a document from a value of `--print`: `${books.create.id}` becomes `${create.id}`. Returns nil if the plan has no
  /// document of this name (here `books.yaml`), or if the shorter value is invalid in that document.
  private static func withoutDocument(_ text: String, _ name: String, at place: Range<Int>, in plan: Plan) -> String? {
    let bytes = Array(text.utf8)
    guard place.upperBound < bytes.count, bytes[place.upperBound] == UInt8(ascii: ".") else { return nil }
    let shorter = String(decoding: bytes[..<place.lowerBound] + bytes[(place.upperBound + 1)...], as: UTF8.self)
    let isValid = plan.workflows.contains { workflow in
      let file = workflow.file.name.split(separator: "/").last ?? ""
      var found = DiagnosticList()
      return file.prefix { $0 != "." } == name && workflow.template(shorter, name: "--print", into: &found) != nil
    }
    return isValid ? shorter : nil
  }
}
