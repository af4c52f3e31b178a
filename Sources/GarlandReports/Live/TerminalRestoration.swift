import Glibc
import Synchronization

/// Gives a terminal its cursor back when the program ends without coming to the end of its live view.
///
/// Call `prepare()` at start and `restore()` from a handler of the signal that ends the program, before the process leaves.
public enum TerminalRestoration {
  private static let descriptor = Atomic<Int32>(-1)
  private static let wasSuspended = Atomic<Bool>(false)

  /// Makes sure that `restore()` has nothing left to set up, which a signal handler must not do.
  public static func prepare() { _ = descriptor.load(ordering: .relaxed) }

  /// Shows the cursor if a live view has hidden it. May be called from a signal handler: it does nothing but read an atomic and `write(2)`.
  public static func restore() {
    let descriptor = descriptor.load(ordering: .relaxed)
    guard descriptor >= 0 else { return }
    let sequence: StaticString = "\u{1B}[?2026l\u{1B}[?25h\r\n"
    _ = Glibc.write(descriptor, sequence.utf8Start, sequence.utf8CodeUnitCount)
  }

  /// Shows the cursor before the program is stopped, as Ctrl-Z does. May be called from a signal
  /// handler. When the program continues, the live view is redrawn below the output of the shell.
  public static func suspend() {
    restore()
    wasSuspended.store(true, ordering: .relaxed)
  }

  /// Marks the live view for redrawing after the program was stopped and continued. May be called
  /// from a signal handler.
  public static func noteContinuation() { wasSuspended.store(true, ordering: .relaxed) }

  /// Returns whether the program was stopped since the last call.
  static func takeSuspension() -> Bool { wasSuspended.exchange(false, ordering: .relaxed) }

  static func cursorIsHidden(on fileDescriptor: Int32?) {
    descriptor.store(fileDescriptor ?? -1, ordering: .relaxed)
  }
}
