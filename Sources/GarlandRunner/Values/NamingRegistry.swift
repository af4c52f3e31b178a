import GarlandDiagnostics
import GarlandWorkflow
import Synchronization

/// Knows what was made of secrets, and by which expression, for those who have to name it.
protocol NamingRegistry: SecretRegistry {
  /// The latest of what was made, and what made it.
  var made: [(value: String, expression: String)] { get }
}

/// A redactor as expressions tell it of secrets.
final class RedactorRegistry: NamingRegistry {
  private struct Made {
    var list: [(value: String, expression: String)] = []
    var values: Set<String> = []
  }

  /// A loop may make something of each of its items; nobody asks for what was long ago.
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
