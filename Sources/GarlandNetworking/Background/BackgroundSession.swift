import HTTPTypes
import Synchronization

/// Uploads from files and downloads that outlive the process.
///
/// ```swift
/// let session = try BackgroundSession(.background("com.example.sync"))
/// try await session.upload(file: "report.pdf", to: "https://example.com/reports", tag: "report")
/// for await result in session.results {
///   print(result.task.tag ?? "", result.outcome)
/// }
/// ```
/// Each task is in a journal on the disk before it begins. What has not ended when the process does is continued when a session with the same identifier is made:
/// downloads where they were, if the server allows that, uploads from their beginning. So a server may see an upload twice. What fails on the way is tried again, after
/// longer and longer waits, until the deadline of the session's settings, 7 days after the task was made.
///
/// Results are in the journal too, and each is told once, in whichever process asks. One process at a time can have an identifier.
public final class BackgroundSession: Sendable {
  /// What it is known by.
  public let identifier: String
  private let runner: BackgroundRunner

  /// Opens the journal, and goes on with what is in it.
  ///
  /// - Parameters:
  ///   - configuration: Made by ``SessionConfiguration/background(_:)``. It is not in the journal: give the same in each process. Without an interceptor of its own, the session
  ///     sends again whatever failed on the way.
  ///   - folder: Where journals are kept. Defaults to `$XDG_STATE_HOME/garland/background`, else `~/.local/state/garland/background`.
  ///
  /// Throws ``NetworkingError/Reason/background(_:)`` if the identifier is in use, by another process or by this one, or the journal can't be read or written.
  public init(_ configuration: SessionConfiguration, folder: String? = nil) throws(NetworkingError) {
    guard case .background(let identifier) = configuration.kind else {
      throw NetworkingError(.background(.unusable("its configuration is not one for the background")))
    }
    self.identifier = identifier
    let journal = try BackgroundJournal(folder: BackgroundFolder.path(for: identifier, in: folder), identifier: identifier)
    runner = BackgroundRunner(configuration, store: BackgroundStore(journal))
    runner.start()
  }

  deinit {
    let runner = runner
    Task { await runner.close() }
  }

  // MARK: Tasks

  /// Sends a file. When this comes back, the task is in the journal. The file must stay as it is until the task has ended.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - url: Where it goes.
  ///   - method: Defaults to POST.
  ///   - headers: Fields of the header. They are written into the journal. The content type is that of the file's extension unless it is given here.
  ///   - tag: What the program wants to know the task by.
  ///   - priority: Who goes first where several wait for a connection.
  ///   - delay: How long to wait at least before it begins.
  @discardableResult
  public func upload(
    file path: String, to url: String, method: HTTPRequest.Method = .post, headers: HTTPFields = HTTPFields(), tag: String? = nil,
    priority: TransferPriority = .normal, after delay: Duration? = nil
  ) async throws(NetworkingError) -> BackgroundTask {
    var headers = headers
    if headers[.contentType] == nil { headers[.contentType] = MediaTypes.type(forPath: path) }
    return try await runner.add(.upload(file: BackgroundFolder.absolute(path)), url, method, headers, tag, priority, delay)
  }

  /// Downloads to a file. When this comes back, the task is in the journal. The parameters are those of
  /// ``upload(file:to:method:headers:tag:priority:after:)``; the target's ``DownloadTarget/partial-swift.property`` and ``DownloadTarget/computesDigest`` do not count.
  @discardableResult
  public func download(
    _ url: String, to target: DownloadTarget, headers: HTTPFields = HTTPFields(), tag: String? = nil, priority: TransferPriority = .normal,
    after delay: Duration? = nil
  ) async throws(NetworkingError) -> BackgroundTask {
    var target = target
    target.path = BackgroundFolder.absolute(target.path)
    target.partial = .kept
    target.computesDigest = false
    return try await runner.add(.download(target), url, .get, headers, tag, priority, delay)
  }

  /// The tasks that have not ended, those of earlier processes included, in the order in which they were made.
  public var tasks: [BackgroundTask] { get async { await runner.store.tasks } }

  /// Ends a task, with ``NetworkingError/Kind/cancelled`` as its result. Nothing stays of a download.
  public func cancel(_ id: Int) { runner.cancel(id) }

  /// How a task of this session comes along, in this process; ends with it. Nil if it does not run.
  public func progress(of id: Int) -> AsyncStream<RequestProgress>? { runner.progress(of: id) }

  // MARK: Results

  /// The results that nobody was told of yet, and those to come. Ends when the session has ended.
  public var results: BackgroundResults { BackgroundResults(store: runner.store) }

  // MARK: Ending

  /// Lets what runs come to its end, refuses new tasks, and then lets others have the identifier. Comes back when that is done; results that nobody has asked for are told
  /// by the next session.
  public func finishAndInvalidate() async { await runner.finish() }

  /// Cancels all tasks, and refuses new ones.
  public func cancelAndInvalidate() async { await runner.cancelAll() }

  /// Leaves everything as it is for the next session with this identifier, in this process or another. That is also what happens when the process ends.
  public func close() async { await runner.close() }
}
