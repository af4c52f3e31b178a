import Glibc

/// The three descriptors that a program is given, or should be: daemons and some schedulers start programs without them.
enum StandardStreams {
  /// Opens those that are closed, so that no file takes their place and gets what is meant for them.
  ///
  /// Reading from what was closed goes on to fail, and so does writing to standard output: what was asked for by name must not vanish unnoticed. Standard
  /// error has nothing but remarks.
  static func openClosed() {
    for (descriptor, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_WRONLY)]
    where fcntl(descriptor, F_GETFD) < 0 {
      // It is the lowest that is free, hence the one that is missing.
      _ = open("/dev/null", mode)
    }
  }
}
