extension Run {
  /// The cookies and the stored responses that the steps share.
  struct Stores {
    let jars: JarSet
    let caches = CacheSet()
  }

  /// The state of the output.
  struct Output {
    /// The notices that have been shown. They prevent that a thousand similar steps cause the same notice a thousand times.
    var noticed: Set<String> = []
    /// The folder for the body that is kept completely; nil if no body is kept.
    var wholeBodyFolder: String?
  }

  /// The logins on providers' pages.
  struct Logins {
    var waits = TokenWaits()
    /// The runs of `authorize` steps on a provider's pages.
    var runs: [Run] = []
  }

  /// The called documents.
  struct Calls {
    /// The runs of called documents, by the steps that call them.
    var runs: [ObjectIdentifier: Run] = [:]
    var lending = Lending()
  }
}
