import GarlandDiagnostics
import GarlandWorkflow
import Synchronization

/// A registry for secrets that also remembers the values that expressions computed from secrets. A curl command can contain a shell
/// variable in place of each of these values.
protocol NamingRegistry: SecretRegistry {
  /// The most recently computed secret values, each with the expression that computed it.
  var made: [(value: String, expression: String)] { get }
}

/// The registry through which expressions register secrets with a redactor.
final class RedactorRegistry: NamingRegistry {
  private struct Made {
    var list: [(value: String, expression: String)] = []
    var values: Set<String> = []
  }

  /// The maximum number of computed secrets in ``made``. If there are more, the oldest secrets are removed: a loop may compute a secret for
  /// each item, and the secrets of earlier items are no longer needed.
  private static let limit = 256

  let redactor: Redactor
  private let storage = Mutex(Made())

  init(redactor: Redactor) { self.redactor = redactor }

  var made: [(value: String, expression: String)] { storage.withLock { $0.list } }

  var hasSecrets: Bool { redactor.hasSecrets }

  func masked(_ text: String) -> String { redactor.redact(text) }

  func register(secret text: String) { redactor.register(text) }

  func register(secret text: String, madeBy expression: String) {
    redactor.register(text)
    storage.withLock { made in
      guard made.values.insert(text).inserted else { return }
      made.list.append((text, expression))
      guard made.list.count > Self.limit else { return }
      made.list.removeFirst(Self.limit / 2)
      made.values = Set(made.list.map(\.value))
    }
  }
}
