import Glibc
import Synchronization

/// Shows a terminal's cursor again when the program ends before the end of its live view.
///
/// Call `prepare()` at the start of the program and `restore()` from a handler of the signal that ends the
/// program, before the process ends.
package enum TerminalRestoration {
  private static let descriptor = Atomic<Int32>(-1)
  private static let wasSuspended = Atomic<Bool>(false)

  /// Initializes everything that `restore()` needs, because a signal handler must not initialize anything.
  package static func prepare() { _ = descriptor.load(ordering: .relaxed) }

  /// Shows the cursor if a live view has hidden it.
  ///
  /// A signal handler may call this function, because it only reads an atomic and calls `write(2)`.
  package static func restore() {
    let descriptor = descriptor.load(ordering: .relaxed)
    guard descriptor >= 0 else { return }
    let sequence: StaticString = "\u{1B}[?2026l\u{1B}[?25h\r\n"
    _ = Glibc.write(descriptor, sequence.utf8Start, sequence.utf8CodeUnitCount)
  }

  /// Shows the cursor. The caller then stops the program, for example after Ctrl-Z.
  ///
  /// A signal handler may call this function. When the program continues, the live view is redrawn below the output of the shell.
  package static func suspend() {
    restore()
    wasSuspended.store(true, ordering: .relaxed)
  }

  /// Records that the program was stopped and has continued, so that the live view is redrawn.
  ///
  /// A signal handler may call this function.
  package static func noteContinuation() { wasSuspended.store(true, ordering: .relaxed) }

  /// Returns whether the program was suspended, for example by Ctrl-Z, and continued since the last call of this function.
  static func takeSuspension() -> Bool { wasSuspended.exchange(false, ordering: .relaxed) }

  static func cursorIsHidden(on fileDescriptor: Int32?) {
    descriptor.store(fileDescriptor ?? -1, ordering: .relaxed)
  }
}
