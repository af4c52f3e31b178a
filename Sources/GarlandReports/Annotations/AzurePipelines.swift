/// The logging commands that the agent of Azure Pipelines finds in a job's output.
///
/// See [Logging commands](https://learn.microsoft.com/en-us/azure/devops/pipelines/scripts/logging-commands).
enum AzurePipelines {
  private static let data = Escapes(["%": "%AZP25", "\r": "%0D", "\n": "%0A"])
  private static let property = data.and([";": "%3B", "]": "%5D"])

  /// Returns the command for an annotation, such as
  /// `##vso[task.logissue type=error;sourcepath=a.yaml;linenumber=5;columnnumber=5;code=unknown-key;]message`.
  static func command(_ annotation: Annotation) -> String {
    var text = "##vso[task.logissue type=\(annotation.level == .error ? "error" : "warning");"
    if let place = annotation.place {
      text += "sourcepath=\(property(place.file));linenumber=\(place.line);columnnumber=\(place.column);"
    }
    var message = annotation.message
    switch annotation.origin {
    case .document(let code): text += "code=\(property(code));"
    case .step: message = "\(annotation.title): \(message)"
    }
    // The agent reads the first command of a line. Whether it reads further commands is not documented.
    return text + "]" + data(JobLog.azure.harmless(message))
  }
}
