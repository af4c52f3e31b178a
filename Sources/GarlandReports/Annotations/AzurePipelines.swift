/// The logging commands that the agent of Azure Pipelines finds in a job's output.
///
/// See [Logging commands](https://learn.microsoft.com/en-us/azure/devops/pipelines/scripts/logging-commands).
enum AzurePipelines {
  /// `##vso[task.logissue type=error;sourcepath=a.yaml;linenumber=5;columnnumber=5;code=unknown-key;]message`
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
    // The agent takes the first command of a line. That it takes no other is not documented.
    return text + "]" + data(JobLog.azure.harmless(message))
  }

  private static func data(_ text: String) -> String { escaped(text, isProperty: false) }

  private static func property(_ text: String) -> String { escaped(text, isProperty: true) }

  private static func escaped(_ text: String, isProperty: Bool) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "%": result.append(contentsOf: "%AZP25".unicodeScalars)
      case "\r": result.append(contentsOf: "%0D".unicodeScalars)
      case "\n": result.append(contentsOf: "%0A".unicodeScalars)
      case ";" where isProperty: result.append(contentsOf: "%3B".unicodeScalars)
      case "]" where isProperty: result.append(contentsOf: "%5D".unicodeScalars)
      default: result.append(scalar)
      }
    }
    return String(result)
  }
}
