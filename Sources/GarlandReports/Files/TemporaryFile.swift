import GarlandDiagnostics
import Glibc

/// Temporary files that have no name in their folder, so that no other program can open them.
enum TemporaryFile {
  /// Returns a descriptor of a file without a name, for reading and writing, or -1 if the file system does not support such files.
  static func openUnnamed(in folder: String) -> Int32 {
    // `O_TMPFILE` is a macro of two flags, which Swift does not import: this one and `O_DIRECTORY`.
    let temporaryFlag: Int32 = 0o20_000_000
    return open(folder, O_RDWR | O_DIRECTORY | temporaryFlag | O_CLOEXEC, 0o666)
  }

  /// Returns a descriptor for reading and writing a temporary file, which disappears when the descriptor is closed. Returns -1 and sets
  /// `errno` if no file can be created.
  static func openScratch(in folder: String) -> Int32 {
    let unnamed = openUnnamed(in: folder)
    if unnamed >= 0 { return unnamed }
    let name = WholeFile.nameBeside(folder + "/scratch")
    let descriptor = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if descriptor >= 0 { unlink(name) }
    return descriptor
  }
}
