extension Run {
  /// The cookie jars and response caches that the steps of a run share.
  struct Stores {
    let jars: JarSet
    let caches = CacheSet()
  }

  /// The data that a run needs for its output: the notices that were already shown, and the folder for a response body that is printed.
  struct Output {
    /// The notices that were shown. A notice is shown only once, even if a thousand similar steps cause it.
    var noticed: Set<String> = []
    /// The folder in which the run stores a whole response body for a command that writes the body to its output; nil while no body is
    /// stored.
    var wholeBodyFolder: String?
  }

  /// The logins on providers' pages that are in progress or have ended.
  struct Logins {
    var waits = TokenWaits()
    /// The runs that execute `authorize` steps in order to log in on a provider's pages.
    var runs: [Run] = []
  }

  /// The runs of called documents, and their requests for transfer slots and resources.
  struct Calls {
    /// The runs of called documents. Each key is the identity of the calling step.
    var runs: [ObjectIdentifier: Run] = [:]
    var lending = Lending()
  }
}
