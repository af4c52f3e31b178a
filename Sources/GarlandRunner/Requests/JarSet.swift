import GarlandDiagnostics
import GarlandTransfer
import GarlandWorkflow
import Synchronization

/// The cookie jars of a run: a jar for each document, and a jar for each cookie file. The jars of cookie files are shared with
/// the runs of called documents.
final class JarSet: Sendable {
  private struct State {
    var shared: [CookieJar?]
    /// For each document, settings that contain only a proxy and the document's cookie jar; nil before the first request that needs them.
    var settings: [TransferSettings?]
    /// A cache of evaluated transport settings. Steps that share a settings object also share an entry.
    var transports: [Transport: TransferSettings] = [:]
  }

  /// The key under which the settings of a request are cached: the document of the step, and the identity of the step's transport settings.
  private struct Transport: Hashable {
    let document: Int
    /// The identity of the transport settings, which steps with equal settings share as one object. The plan keeps this object alive during
    /// the whole run, so no other object can get the same identity.
    let identity: ObjectIdentifier
  }

  private static let mostTransports = 64

  private let state: Mutex<State>
  private let cookieFiles: CookieFiles
  private let files: FileAccess
  /// The cookie jars of another run of the same plan, which were passed to ``init(like:)``. Nil if another initializer created this object.
  /// This object uses the transport settings that are cached in `model`.
  private let model: JarSet?

  /// Creates empty cookie jars.
  ///
  /// - Parameter caller: the jars of the calling run, with which the new jars share the cookie files; nil if no run calls this run.
  convenience init(documentCount: Int, files: FileAccess, caller: JarSet? = nil) {
    self.init(documentCount: documentCount, files: files, cookieFiles: caller?.cookieFiles ?? CookieFiles(), model: nil)
  }

  /// Creates the cookie jars of a run, like the jars `model` of another run of the same plan. Both runs share the jars of cookie files; all
  /// other jars are new and empty.
  convenience init(like model: JarSet) {
    let count = model.state.withLock { $0.shared.count }
    self.init(documentCount: count, files: model.files, cookieFiles: model.cookieFiles, model: model)
  }

  private init(documentCount: Int, files: FileAccess, cookieFiles: CookieFiles, model: JarSet?) {
    self.cookieFiles = cookieFiles
    self.model = model
    state = Mutex(
      State(
        shared: Array(repeating: nil, count: documentCount), settings: Array(repeating: nil, count: documentCount)))
    self.files = files
  }

  /// Removes all cookies from the jars of documents. The jars of cookie files are unchanged.
  func empty() {
    for jar in state.withLock({ $0.shared }) { jar?.empty() }
  }

  /// Returns the jar that a document's steps share.
  func shared(by document: Int) -> CookieJar {
    state.withLock { state in
      if let jar = state.shared[document] { return jar }
      let jar = CookieJar()
      state.shared[document] = jar
      return jar
    }
  }

  /// Returns settings that consist only of a proxy and of the cookie jar that a document's steps share. The settings are created only once
  /// for each document.
  func settings(of document: Int, proxy: ProxySetting) -> TransferSettings {
    if let known = state.withLock({ $0.settings[document] }) { return known }
    var settings = TransferSettings()
    settings.proxy = proxy
    settings.cookies = shared(by: document)
    state.withLock { $0.settings[document] = settings }
    return settings
  }

  /// Returns the cached settings for requests that have the transport settings of `template`; nil if no settings are cached for them.
  func usualSettings(of document: Int, _ template: RequestTemplate) -> TransferSettings? {
    let transport = Transport(document: document, identity: template.transportIdentity)
    if let known = state.withLock({ $0.transports[transport] }) { return known }
    guard let model, var settings = model.usualSettings(of: document, template) else { return nil }
    if settings.cookies != nil, settings.cookies == model.shared(by: document) { settings = settings.with(cookies: shared(by: document)) }
    state.withLock { $0.transports[transport] = settings }
    return settings
  }

  /// Adds the transport settings of the request template `template` to the cache, so that other requests with the same settings can use
  /// them. Settings that an expression could change are not cached.
  func keep(_ settings: TransferSettings, of document: Int, _ template: RequestTemplate) {
    guard template.hasFixedTransport else { return }
    if let model {
      let isShared = settings.cookies != nil && settings.cookies == shared(by: document)
      model.keep(isShared ? settings.with(cookies: model.shared(by: document)) : settings, of: document, template)
    }
    state.withLock { state in
      // If each step has its own settings, sharing has no benefit, and the memory would grow with the number of steps.
      if state.transports.count >= Self.mostTransports { state.transports = [:] }
      state.transports[Transport(document: document, identity: template.transportIdentity)] = settings
    }
  }

  /// Returns the jar of a cookie file, which is read at its first use. A missing file is an empty jar.
  ///
  /// - Parameter path: the file's absolute path.
  func jar(at path: String) throws(WorkflowFileError) -> CookieJar {
    if let jar = cookieFiles.jar(at: path) { return jar }
    let jar = CookieJar()
    if files.files.kind(of: path) != .missing {
      let text = String(decoding: try files.files.read(path, limit: 16 << 20), as: UTF8.self)
      if let line = CookieFile.firstInvalidLine(of: text) {
        throw WorkflowFileError("line \(line) is not a cookie in the Netscape format, which curl writes too")
      }
      for cookie in CookieFile.parse(text) { jar.insert(cookie) }
    }
    return cookieFiles.keep(jar, at: path)
  }

  /// Writes changed jars back to their files. Returns an error for each file that can't be written.
  func writeBack() async -> [Diagnostic] { cookieFiles.writeBack(files) }
}

/// The cookie jars that are stored in files.
private final class CookieFiles: Sendable {
  private struct Entry {
    let jar: CookieJar
    /// The text of the cookies that the jar contained when its file was read. At the end of the run, the cookie file is written only if
    /// this text has changed.
    let original: String
  }

  private let entries = Mutex<[String: Entry]>([:])

  func jar(at path: String) -> CookieJar? { entries.withLock { $0[path]?.jar } }

  /// Stores a jar, and returns it. If another jar was stored for the path meanwhile, returns that jar instead.
  func keep(_ jar: CookieJar, at path: String) -> CookieJar {
    let original = CookieFile.text(of: jar.cookies)
    return entries.withLock { entries in
      if let known = entries[path] { return known.jar }
      entries[path] = Entry(jar: jar, original: original)
      return jar
    }
  }

  func writeBack(_ files: FileAccess) -> [Diagnostic] {
    var failures: [Diagnostic] = []
    for (path, entry) in entries.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
      let text = CookieFile.text(of: entry.jar.cookies)
      guard text != entry.original else { continue }
      do throws(WholeFile.Failure) {
        try files.write(Array(text.utf8), to: path, .owner)
      } catch {
        let names = Set(entry.jar.cookies.map(\.name)).sorted()
        let lost = names.isEmpty ? "the removal of all cookies" : "the cookies \(Shown.list(names))"
        failures.append(
          Diagnostic(.cookieFile, "the cookie file \(path) could not be written: \(error)", at: nil).help("not saved: \(lost)"))
      }
    }
    return failures
  }
}

/// Returns an absolute path unchanged, and a relative path appended to a folder.
func absolutePath(_ path: String, in directory: String) -> String {
  path.utf8.first == UInt8(ascii: "/") ? path : directory.utf8.last == UInt8(ascii: "/") ? directory + path : directory + "/" + path
}
