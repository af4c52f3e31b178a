import GarlandDiagnostics
import GarlandNetworking
import GarlandWorkflow
import Synchronization

/// The cookie jars of a run: one for each document, and one for each cookie file.
final class JarSet: Sendable {
  private struct State {
    var shared: [CookieJar?]
    var files: [String: CookieJar] = [:]
    /// What the requests of each document have in common.
    var settings: [TransferSettings?]
  }

  private let state: Mutex<State>
  private let workingDirectory: String
  private let files: FileAccess

  init(documentCount: Int, workingDirectory: String, files: FileAccess) {
    state = Mutex(
      State(
        shared: Array(repeating: nil, count: documentCount), settings: Array(repeating: nil, count: documentCount)))
    self.workingDirectory = workingDirectory
    self.files = files
  }

  /// The jar that a document's steps share.
  func shared(by document: Int) -> CookieJar {
    state.withLock { state in
      if let jar = state.shared[document] { return jar }
      let jar = CookieJar()
      state.shared[document] = jar
      return jar
    }
  }

  /// Settings that have nothing but the jar that a document's steps share, and a proxy: the same each time.
  func settings(of document: Int, proxy: ProxySetting) -> TransferSettings {
    if let known = state.withLock({ $0.settings[document] }) { return known }
    var settings = TransferSettings()
    settings.proxy = proxy
    settings.cookies = shared(by: document)
    state.withLock { $0.settings[document] = settings }
    return settings
  }

  /// The jar of a cookie file, read the first time it is asked for. A file that is not there is an empty jar.
  func jar(ofFile path: String) throws(WorkflowFileError) -> CookieJar {
    let path = try files.locate(path, from: workingDirectory)
    if let jar = state.withLock({ $0.files[path] }) { return jar }
    let jar = CookieJar()
    if files.files.kind(of: path) != .missing {
      let text = String(decoding: try files.files.read(path, limit: 16 << 20), as: UTF8.self)
      for cookie in CookieFile.parse(text) { jar.insert(cookie) }
    }
    return state.withLock { state in
      if let known = state.files[path] { return known }
      state.files[path] = jar
      return jar
    }
  }

  /// Whether any cookies belong into files.
  var hasFiles: Bool { state.withLock { !$0.files.isEmpty } }

  /// Writes the jars of files back. What can't be written is told.
  func writeBack() async -> [Diagnostic] {
    let jars = state.withLock { $0.files }
    var failures: [Diagnostic] = []
    for (path, jar) in jars.sorted(by: { $0.key < $1.key }) {
      if let failure = AtomicFile.write(Array(CookieFile.text(of: jar.cookies).utf8), to: path, .owner) {
        failures.append(
          Diagnostic("cookie-file", severity: .warning, "the cookie file \(path) could not be written: \(failure)", at: nil))
      }
    }
    return failures
  }
}

/// A path as it is, or below a folder if it is relative.
func absolutePath(_ path: String, in directory: String) -> String {
  path.utf8.first == UInt8(ascii: "/") ? path : directory.utf8.last == UInt8(ascii: "/") ? directory + path : directory + "/" + path
}
