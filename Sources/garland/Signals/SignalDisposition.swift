import Glibc

/// Determines how this process reacts to a signal.
enum SignalDisposition {
  /// Whether a signal is ignored. `nohup` ignores SIGHUP; a shell ignores SIGINT and SIGQUIT for background commands; and a shell without
  /// job control ignores SIGTSTP.
  static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    // `SIG_IGN` is the address 1; `SIG_DFL` is null.
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
  }
}
