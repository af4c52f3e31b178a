import GarlandDiagnostics
import Glibc

/// Writes to a file descriptor without masking secrets, for texts that contain no values of a run.
enum CommandOutput {
  static func writeAll(_ bytes: [UInt8], to descriptor: Int32) throws(CommandFailure) {
    do throws(OutputError) {
      try FileDescriptorSink(fileDescriptor: descriptor).write(bytes)
    } catch {
      switch error {
      // The reader needs no further output, as with `| head`.
      case .closed: break
      case .failed(let number): throw .unwritable(descriptor, errno: number)
      }
    }
  }
}
