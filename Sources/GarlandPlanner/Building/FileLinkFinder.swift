import GarlandDiagnostics
import GarlandWorkflow

/// Finds files that one step downloads and another step uses: the other step sends the file, loops over its rows, or compares its response
/// with the file.
struct FileLinkFinder {
  let workingDirectory: String
  let files: (any WorkflowFiles)?

  func links(in workflows: [Workflow], firstNumbers: [Int]) -> [FileLink] {
    var downloads: [String: [Int]] = [:]
    for (index, workflow) in workflows.enumerated() {
      for step in workflow.steps {
        guard let download = step.request?.download else { continue }
        downloads[key(of: download.to, in: workingDirectory), default: []].append(firstNumbers[index] + step.ordinal)
      }
    }
    guard !downloads.isEmpty else { return [] }
    var links: [FileLink] = []
    for (index, workflow) in workflows.enumerated() {
      for step in workflow.steps {
        let consumer = firstNumbers[index] + step.ordinal
        for path in FileLinkFinder.files(usedBy: step) {
          for producer in downloads[key(of: path, in: workflow.directory)] ?? [] where producer != consumer {
            links.append(FileLink(producer: producer, consumer: consumer, path: path.constantText ?? path.range.text, use: path.range))
          }
        }
      }
    }
    return links
  }

  /// Returns a key that identifies the file at a path: two paths of the same file have the same key.
  func key(of path: Template, in directory: String) -> String {
    guard let text = path.constantText else {
      // The values of the expressions are unknown, but the same text in the same folder has the
      // same value.
      return "\(directory)\u{0}\(path.range.text.trimmingQuotes())"
    }
    let absolute = text.utf8.first == UInt8(ascii: "/") ? text : "\(directory)/\(text)"
    return files?.resolve(absolute) ?? FileLinkFinder.normalized(absolute)
  }

  /// Removes `.`, `..` and empty parts from an absolute path. Does not resolve symbolic links.
  static func normalized(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/") {
      switch part {
      case ".": break
      case "..": _ = parts.popLast()
      default: parts.append(part)
      }
    }
    return "/" + parts.joined(separator: "/")
  }

  static func files(usedBy step: Step) -> [Template] {
    var result: [Template] = []
    switch step.request?.body?.kind {
    case .file(let file, _): result.append(file.path)
    case .multipart(let parts):
      for part in parts {
        if case .file(let file, _) = part.content { result.append(file.path) }
      }
    default: break
    }
    result += step.action.sentFiles
    if case .rows(let file, _)? = step.flow.loop?.source { result.append(file.path) }
    for expectation in step.judged {
      if case .sha256(.file(let file)) = expectation.check { result.append(file.path) }
    }
    return result
  }
}

extension String {
  fileprivate func trimmingQuotes() -> Substring {
    guard count >= 2, let first, first == last, first == "\"" || first == "'" else { return self[...] }
    return dropFirst().dropLast()
  }
}
