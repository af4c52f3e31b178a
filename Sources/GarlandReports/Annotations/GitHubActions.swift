/// The workflow commands that GitHub's runner finds in a job's output: annotations at locations in files, and
/// groups that can be folded.
///
/// See [Workflow
/// commands](https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands).
enum GitHubActions {
  static let endGroup = "::endgroup::"
  private static let data = Escapes(["%": "%25", "\r": "%0D", "\n": "%0A"])
  private static let property = data.and([":": "%3A", ",": "%2C"])

  static func group(_ title: String) -> String { "::group::\(data(title))" }

  /// Returns the command for an annotation, such as `::error file=a.yaml,line=5,col=5,title=unknown-key::message`.
  static func command(_ annotation: Annotation) -> String {
    var properties: [String] = []
    if let place = annotation.place { properties += ["file=\(property(place.file))", "line=\(place.line)", "col=\(place.column)"] }
    properties.append("title=\(property(annotation.title))")
    return "::\(annotation.level == .error ? "error" : "warning") \(properties.joined(separator: ","))::\(data(annotation.message))"
  }

  /// Changes a line from a server so that GitHub executes no command in it, and returns the line.
  ///
  /// GitHub recognises commands in the form `::name::` at the beginning of a line, even after spaces, and in the old form `##[name]`
  /// anywhere in a line. A line that begins directly with `::` is not changed: only Garland's own commands begin without spaces.
  static func harmless(_ line: String) -> String {
    var line = line
    let indentation = line.prefix { $0 == " " }
    if !indentation.isEmpty, line.dropFirst(indentation.count).hasPrefix("::") {
      line = "\(indentation): :\(line.dropFirst(indentation.count + 2))"
    }
    guard line.contains("##[") else { return line }
    return line.split(separator: "##[", omittingEmptySubsequences: false).joined(separator: "# #[")
  }
}
