import GarlandResults

/// Formats the names, requests and results of steps as short texts for a report, with secrets masked.
struct StepLabel {
  let mask: Mask
  /// Whether the names of steps include the file name, because the run has steps of several files.
  let namesFile: Bool

  /// Returns the name of a step, such as `create`, `create [tenant=acme]` or `shop.yaml#create`.
  ///
  /// - Parameter fileSeparator: the text between file and id, for formats in which `#` has a meaning.
  func name(_ step: StepIdentity, iteration: String? = nil, fileSeparator: String = "#") -> String {
    var name = namesFile ? "\(StepLabel.lastComponent(step.file))\(fileSeparator)\(step.id)" : step.id
    if let iteration { name += " [\(iteration)]" }
    return mask.line(name)
  }

  /// Returns the method and URL of the step's last request, as they were sent. If no request was sent, returns the method and URL of the
  /// step, with the values that are already known.
  ///
  /// If the workflow file gives the URL as a path relative to a base URL, the URL's scheme and host are omitted.
  func action(_ result: StepResult) -> String {
    guard result.step.isRequest, let hop = result.lastOwnExchange?.target else { return action(result.step) }
    return action(result.step, method: hop.method, url: hop.url)
  }

  /// Returns method and URL of a request in progress. If the workflow file gives the URL as a path, relative to a base URL, the scheme and
  /// host are omitted.
  func action(_ step: StepIdentity, method: String, url: String) -> String {
    let shown = step.isRelative ? StepLabel.path(of: url) : step.shown(url)[...]
    var action = (step.word?.rawValue ?? method) + " "
    action.append(contentsOf: shown)
    return mask.line(action)
  }

  /// Returns the method and URL of a step, with the values that are known before it runs.
  func action(_ step: StepIdentity) -> String { mask.line(step.action) }

  /// Returns the reason for a result in one line, such as `status is 404, expected 200`, `status is 404, expected 200 (and 2 more)`,
  /// `blocked by create`, `no route to host`, `flaky: status is 503`. Returns nil if the step passed and there is nothing to explain.
  func explanation(_ result: StepResult) -> String? {
    switch result.outcome {
    case .passed: return result.earlier.first.flatMap(explanation).map { "flaky: \($0)" } ?? result.reason.map(mask.line)
    case .failed, .error, .unreachable:
      // For a call, the reason names the failed steps, which is more informative than the first failure.
      if !result.step.isRequest, let reason = result.reason { return mask.line(reason) }
      guard let first = result.failures.first else { return result.reason.map(mask.line) ?? result.outcome.rawValue }
      let more = result.failures.count > 1 ? " (and \(result.failures.count - 1) more)" : ""
      return StepLabel.sentence(first, mask: mask) + more
    case .blocked:
      if !result.blockedBy.isEmpty { return "blocked by " + result.blockedBy.map { name($0) }.joined(separator: ", ") }
      return result.reason.map { "blocked: \(mask.line($0))" } ?? "blocked"
    case .skipped, .notRun: return result.outcome.rawValue + (result.reason.map { ": \(mask.line($0))" } ?? "")
    }
  }

  /// Returns the reason why a failure does not affect the exit status, such as `allowed to fail` or `quarantined until 2026-12-01
  /// (SHOP-123)`; nil for any other result.
  func permission(_ result: StepResult) -> String? {
    guard result.isFailureAllowed, result.outcome.isProblem else { return nil }
    return result.step.quarantine.map(quarantine) ?? "allowed to fail"
  }

  /// Returns a quarantine as text, such as `quarantined until 2026-12-01 (SHOP-123)`.
  func quarantine(_ quarantine: Quarantine) -> String { "quarantined until \(quarantine.until) (\(mask.line(quarantine.reason)))" }

  /// Returns a failure in words, composed of the checked part of the response and the message: `status is 404, expected 200`, `request:
  /// connection refused`.
  static func sentence(_ failure: CheckFailure, mask: Mask) -> String { mask.line(failure.sentence) }

  private static func path(of url: String) -> Substring {
    Substring(url.utf8.dropFirst(url.utf8.withContiguousStorageIfAvailable(pathStart) ?? pathStart(Array(url.utf8))))
  }

  /// Returns the offset at which the path of an absolute URL begins; 0 for a URL without a path, and for any other text.
  private static func pathStart(_ url: some RandomAccessCollection<UInt8>) -> Int {
    let slash = UInt8(ascii: "/")
    guard let scheme = url.firstIndex(of: UInt8(ascii: ":")), url[scheme...].dropFirst().starts(with: [slash, slash]),
      let path = url[scheme...].dropFirst(3).firstIndex(of: slash)
    else { return 0 }
    return url.distance(from: url.startIndex, to: path)
  }

  private static func lastComponent(_ path: String) -> Substring {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[path.index(after: $0)...] } ?? path[...]
  }
}
