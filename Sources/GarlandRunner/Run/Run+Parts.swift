extension Run {
  /// The cookie jars and response caches that the steps of a run share.
  struct Stores {
    let jars: JarSet
    let caches = CacheSet()
  }

  /// The state that a run needs for its output: the notices that were shown, and the folder for a body that is kept completely.
  struct Output {
    /// The notices that were shown. A notice is shown only once, even if a thousand similar steps cause it.
    var noticed: Set<String> = []
    /// The folder for the response body that the run keeps completely, because the output of the command consists of it; nil if no body is
    /// kept.
    var wholeBodyFolder: String?
  }

  /// The logins on providers' pages that are in progress or have ended.
  struct Logins {
    var waits = TokenWaits()
    /// The runs that execute `authorize` steps in order to log in on a provider's pages.
    var runs: [Run] = []
  }

  /// The runs of called documents, and the transfer slots and resources that they have requested.
  struct Calls {
    /// The runs of called documents, by the identity of the calling step.
    var runs: [ObjectIdentifier: Run] = [:]
    var lending = Lending()
  }
}
