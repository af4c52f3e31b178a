import GarlandDiagnostics
import GarlandTransfer
import GarlandWorkflow
import Synchronization

/// The cookie jars of a run: one for each document, and one for each cookie file, which it has in common with the runs of documents that it calls.
final class JarSet: Sendable {
  private struct State {
    var shared: [CookieJar?]
    /// The settings that the requests of each document share.
    var settings: [TransferSettings?]
    /// The settings for each transport of a document, shared by all requests with the same one.
    var transports: [Transport: TransferSettings] = [:]
  }

  /// The transport settings of a document.
  private struct Transport: Hashable {
    let document: Int
    /// Steps with the same one share it. The plan, which outlives the run, holds it.
    let identity: ObjectIdentifier
  }

  private static let mostTransports = 64

  private let state: Mutex<State>
  private let cookieFiles: CookieFiles
  private let files: any WorkflowFiles
  /// The jars whose settings these take over, so that their requests travel alike.
  private let model: JarSet?

  /// - Parameter caller: the jars of the run that calls this one.
  convenience init(documentCount: Int, files: any WorkflowFiles, caller: JarSet? = nil) {
    self.init(documentCount: documentCount, files: files, cookieFiles: caller?.cookieFiles ?? CookieFiles(), model: nil)
  }

  /// Jars of their own for another run of the same plan, with the same cookie files.
  convenience init(like model: JarSet) {
    let count = model.state.withLock { $0.shared.count }
    self.init(documentCount: count, files: model.files, cookieFiles: model.cookieFiles, model: model)
  }

  private init(documentCount: Int, files: any WorkflowFiles, cookieFiles: CookieFiles, model: JarSet?) {
    self.cookieFiles = cookieFiles
    self.model = model
    state = Mutex(
      State(
        shared: Array(repeating: nil, count: documentCount), settings: Array(repeating: nil, count: documentCount)))
    self.files = files
  }

  /// Removes all cookies that no file has.
  func empty() {
    for jar in state.withLock({ $0.shared }) { jar?.empty() }
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

  /// Returns the settings of requests without settings of their own; nil if they are not stored.
  func usualSettings(of document: Int, _ template: RequestTemplate) -> TransferSettings? {
    let transport = Transport(document: document, identity: template.transportIdentity)
    if let known = state.withLock({ $0.transports[transport] }) { return known }
    guard let model, var settings = model.usualSettings(of: document, template) else { return nil }
    if settings.cookies != nil, settings.cookies == model.shared(by: document) { settings = settings.with(cookies: shared(by: document)) }
    state.withLock { $0.transports[transport] = settings }
    return settings
  }

  /// Keeps settings for others with the same template of them, if there is nothing in them that could be another one next time.
  func keep(_ settings: TransferSettings, of document: Int, _ template: RequestTemplate) {
    guard !template.hasTransport || template.transport.isFixed else { return }
    if let model {
      let isShared = settings.cookies != nil && settings.cookies == shared(by: document)
      model.keep(isShared ? settings.with(cookies: model.shared(by: document)) : settings, of: document, template)
    }
    state.withLock { state in
      // If each step has settings of its own, sharing gains nothing, and memory would grow with the
      // steps.
      if state.transports.count >= Self.mostTransports { state.transports = [:] }
      state.transports[Transport(document: document, identity: template.transportIdentity)] = settings
    }
  }

  /// The jar of a cookie file, read at its first use. A missing file is an empty jar.
  ///
  /// - Parameter path: its absolute path.
  func jar(at path: String) throws(WorkflowFileError) -> CookieJar {
    if let jar = cookieFiles.jar(at: path) { return jar }
    let jar = CookieJar()
    if files.kind(of: path) != .missing {
      let text = String(decoding: try files.read(path, limit: 16 << 20), as: UTF8.self)
      if let line = CookieFile.firstInvalidLine(of: text) {
        throw WorkflowFileError("its line \(line) is no cookie in the format of Netscape and curl")
      }
      for cookie in CookieFile.parse(text) { jar.insert(cookie) }
    }
    return cookieFiles.keep(jar, at: path)
  }

  /// Writes the jars of files back that have changed. Returns an error for each that can't be written.
  func writeBack() async -> [Diagnostic] { cookieFiles.writeBack() }
}

/// Jars that are files.
private final class CookieFiles: Sendable {
  private struct Entry {
    let jar: CookieJar
    /// The content of the file when it was read.
    let original: String
  }

  private let entries = Mutex<[String: Entry]>([:])

  func jar(at path: String) -> CookieJar? { entries.withLock { $0[path]?.jar } }

  /// Takes a jar in, unless there is one by now.
  func keep(_ jar: CookieJar, at path: String) -> CookieJar {
    let original = CookieFile.text(of: jar.cookies)
    return entries.withLock { entries in
      if let known = entries[path] { return known.jar }
      entries[path] = Entry(jar: jar, original: original)
      return jar
    }
  }

  func writeBack() -> [Diagnostic] {
    var failures: [Diagnostic] = []
    for (path, entry) in entries.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
      let text = CookieFile.text(of: entry.jar.cookies)
      guard text != entry.original else { continue }
      do throws(WholeFile.Failure) {
        try WholeFile.write(Array(text.utf8), to: path, .owner, makingFolders: true)
      } catch {
        let names = Set(entry.jar.cookies.map(\.name)).sorted()
        let lost = names.isEmpty ? "that it has no cookies any more" : "the cookies \(Shown.list(names))"
        failures.append(
          Diagnostic(.cookieFile, "the cookie file \(path) could not be written: \(error)", at: nil).help("not saved: \(lost)"))
      }
    }
    return failures
  }
}

/// A path as it is, or below a folder if it is relative.
func absolutePath(_ path: String, in directory: String) -> String {
  path.utf8.first == UInt8(ascii: "/") ? path : directory.utf8.last == UInt8(ascii: "/") ? directory + path : directory + "/" + path
}
