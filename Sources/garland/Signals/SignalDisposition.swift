import Glibc

/// What the process does with a signal.
enum SignalDisposition {
  /// Whether it is ignored: `nohup` has SIGHUP so, a shell SIGINT and SIGQUIT of what it runs behind itself, and one without job control SIGTSTP.
  static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    // `SIG_IGN` is the address 1, `SIG_DFL` none.
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
  }
}
