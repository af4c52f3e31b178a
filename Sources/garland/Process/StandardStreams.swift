import Glibc

/// The file descriptors 0, 1 and 2. Every program should have these open, but daemons and some schedulers start programs without them.
enum StandardStreams {
  /// Opens the standard streams that are closed. Otherwise, the next opened file would get the descriptor number of a closed stream, and so
  /// receive the data for that stream.
  ///
  /// Reading from such a stream still fails. Writing to standard output also fails, so that a user notices that the requested output is
  /// lost. Writing to standard error does not fail, since it contains only remarks.
  static func openClosed() {
    for (descriptor, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_WRONLY)]
    where fcntl(descriptor, F_GETFD) < 0 {
      // The new descriptor gets the lowest free number, which is the number of the closed stream.
      _ = open("/dev/null", mode)
    }
  }
}
