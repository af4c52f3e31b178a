import Glibc

/// The three descriptors that a program is given, or should be: daemons and some schedulers start programs without them.
enum StandardStreams {
  /// Opens the standard streams that are closed, so that no file gets their number and their data.
  ///
  /// Reading from a closed stream still fails, and so does writing to standard output: requested
  /// output must not vanish unnoticed. Standard error has only remarks.
  static func openClosed() {
    for (descriptor, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_WRONLY)]
    where fcntl(descriptor, F_GETFD) < 0 {
      // The new descriptor is the lowest free number, which is that of the closed stream.
      _ = open("/dev/null", mode)
    }
  }
}
