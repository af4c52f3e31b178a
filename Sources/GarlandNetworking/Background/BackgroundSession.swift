import HTTPTypes

/// Runs downloads, and uploads from files. If this process ends before they are complete, a later process continues them.
///
/// ```swift
/// let session = try BackgroundSession(.background("com.example.sync"))
/// try await session.upload(file: "report.pdf", to: "https://example.com/reports", tag: "report")
/// for await result in session.results {
///   print(result.task.tag ?? "", result.outcome)
/// }
/// ```
/// Each task is recorded in a journal on the disk before it begins. If a task is unfinished when the process ends, it continues when a
/// session with the same identifier is created. A download continues where it stopped, if the server allows that. An upload starts again
/// from its beginning, so a server may receive an upload twice. A failed task is retried until the deadline of the session's settings, 7
/// days after the task was created. The pauses between the attempts become longer.
///
/// The journal keeps the results too. Each result is delivered once, in any process that reads
/// ``results``. Only one process at a time can use an identifier.
public final class BackgroundSession: Sendable {
  /// The identifier of the session. A later process continues the tasks in a session with the same identifier.
  public let identifier: String
  private let runner: BackgroundRunner

  /// Opens the journal, and continues the tasks in it.
  ///
  /// - Parameters:
  ///   - configuration: Created by ``SessionConfiguration/background(_:)``. The journal does not contain the configuration: pass an equal
  ///     configuration in each process. If the configuration has no interceptor, every failed transfer is retried.
  ///   - folder: The folder for journals. Defaults to `$XDG_STATE_HOME/garland/background`,
  ///     otherwise `~/.local/state/garland/background`.
  ///
  /// Throws ``NetworkingError/Reason/background(_:)`` if another session, of this process or another process, uses the identifier, or if
  /// the journal cannot be read or written.
  public init(_ configuration: SessionConfiguration, folder: String? = nil) throws(NetworkingError) {
    guard case .background(let identifier) = configuration.kind else {
      throw NetworkingError(.background(.unusable("its configuration is not a background configuration")))
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

  /// Uploads a file.
  ///
  /// The task is in the journal when this method returns. Do not change the file until the task has ended.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - url: The URL to send the file to.
  ///   - method: The method. Defaults to POST.
  ///   - headers: Header fields; they are written into the journal. The content type follows from the file's
  ///     extension unless it is given here.
  ///   - tag: A name by which the program recognises the task.
  ///   - priority: The priority among tasks that wait for a connection.
  ///   - delay: The minimum time before the task begins.
  @discardableResult
  public func upload(
    file path: String, to url: String, method: HTTPRequest.Method = .post, headers: HTTPFields = HTTPFields(), tag: String? = nil,
    priority: TransferPriority = .normal, after delay: Duration? = nil
  ) async throws(NetworkingError) -> BackgroundTask {
    var headers = headers
    if headers[.contentType] == nil { headers[.contentType] = MediaTypes.type(forPath: path) }
    return try await runner.add(.upload(file: BackgroundFolder.absolute(path)), url, method, headers, tag, priority, delay)
  }

  /// Downloads the response body to a file.
  ///
  /// The task is in the journal when this method returns.
  ///
  /// The parameters are those of ``upload(file:to:method:headers:tag:priority:after:)``. The target's
  /// ``DownloadTarget/partial-swift.property`` and ``DownloadTarget/computesDigest`` have no effect.
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

  /// The unfinished tasks, including those of earlier processes, in the order of their creation.
  public var tasks: [BackgroundTask] { get async { await runner.store.tasks } }

  /// Ends a task with ``NetworkingError/Kind/cancelled`` as its result. The partial file of a
  /// download is removed.
  public func cancel(_ id: Int) { runner.cancel(id) }

  /// Returns the progress of a task in this process; nil if the task is not running. The stream ends
  /// with the task.
  public func progress(of id: Int) -> AsyncStream<RequestProgress>? { runner.progress(of: id) }

  // MARK: Results

  /// The results that have not been delivered yet, and all later results. The sequence ends with the session.
  public var results: BackgroundResults { BackgroundResults(store: runner.store) }

  // MARK: Ending

  /// Refuses new tasks, waits for the running tasks, and then releases the identifier. The next session with this identifier delivers the
  /// results that have not been read.
  public func finishAndInvalidate() async { await runner.finish() }

  /// Cancels all tasks, and refuses new tasks.
  public func cancelAndInvalidate() async { await runner.cancelAll() }

  /// Stops all tasks. The next session with this identifier, in this process or another process, continues the tasks. It also continues the
  /// tasks of a process that has ended without this call.
  public func close() async { await runner.close() }
}

/// The results of a background session's tasks. Each result is delivered once.
public struct BackgroundResults: AsyncSequence, Sendable {
  /// The result of a task.
  public typealias Element = BackgroundResult
  let store: BackgroundStore

  /// Creates a reader. If there are several readers, each result goes to only one of them.
  public func makeAsyncIterator() -> Iterator { Iterator(store: store) }

  /// A reader of the results.
  public struct Iterator: AsyncIteratorProtocol {
    let store: BackgroundStore

    /// Returns the next result and records it as delivered. Returns nil when no more results will
    /// come, or when the task is cancelled.
    public mutating func next() async -> BackgroundResult? { await store.next() }
  }
}
