import GarlandJSON
import Glibc

/// Access to the real file system of the machine.
public struct SystemFiles: WorkflowFiles {
  /// Creates an instance, which has no state.
  public init() {}

  /// Returns the kind of the file at a path. Symbolic links are followed.
  public func kind(of path: String) -> WorkflowFileKind {
    var status = stat()
    guard stat(path, &status) == 0 else { return errno == ENOENT || errno == ENOTDIR ? .missing : .unreadable }
    if status.st_mode & S_IFMT == S_IFDIR { return .folder }
    return access(path, R_OK) == 0 ? .file : .unreadable
  }

  /// Resolves all symbolic links in a path, as far as the path exists, and returns the absolute path. Returns nil if the path can't be
  /// resolved.
  public func resolve(_ path: String) -> String? {
    if let resolved = realPath(path) { return resolved }
    // A missing file may be created later, in an existing folder or in a folder below it.
    var missing: [Substring] = []
    var rest = path[...]
    while let slash = rest.lastIndex(of: "/") {
      let name = rest[rest.index(after: slash)...]
      guard name != "..", name != "." else { return nil }
      if isLink(String(rest)) { return nil }
      missing.append(name)
      rest = rest[..<slash]
      if let folder = realPath(rest.isEmpty ? "/" : String(rest)) {
        let tail = missing.reversed().joined(separator: "/")
        return folder == "/" ? "/" + tail : folder + "/" + tail
      }
    }
    return nil
  }

  /// Returns the bytes of a file. Throws an error if the file is larger than `limit` bytes or does not fit into the memory. A lack of
  /// memory also ends the current `Computation` of this thread.
  public func read(_ path: String, limit: Int) throws(WorkflowFileError) -> [UInt8] {
    let (descriptor, size) = try open(path)
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    let tooLarge = WorkflowFileError("it does not fit into the memory")
    guard bytes.reserveIfRoom(min(max(0, size), limit)) else { throw tooLarge }
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while case let count = try next(descriptor, &buffer), count > 0 {
      guard bytes.count + count <= limit else { throw WorkflowFileError("it has more than \(limit) bytes") }
      guard buffer[..<count].withUnsafeBytes({ bytes.appendIfRoom($0) }) else { throw tooLarge }
    }
    return bytes
  }

  /// Reads the bytes of a file piece by piece, so that the file need not fit into memory. Stops when `take` returns false.
  public func readPieces(_ path: String, _ take: ([UInt8]) -> Bool) throws(WorkflowFileError) {
    let (descriptor, _) = try open(path)
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: 256 << 10)
    while case let count = try next(descriptor, &buffer), count > 0 {
      guard take(count == buffer.count ? buffer : Array(buffer[..<count])) else { return }
    }
  }

  /// Returns the first `count` bytes of a file. Returns fewer bytes if the file is shorter.
  public func beginning(of path: String, count: Int) throws(WorkflowFileError) -> [UInt8] {
    let (descriptor, _) = try open(path)
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    while bytes.count < count {
      var buffer = [UInt8](repeating: 0, count: count - bytes.count)
      let read = try next(descriptor, &buffer)
      if read == 0 { break }
      bytes += buffer[..<read]
    }
    return bytes
  }

  /// Returns the number of bytes of a file. A file without a known size, such as a pipe, is read to the end to count its bytes.
  public func size(of path: String) throws(WorkflowFileError) -> Int {
    let (descriptor, size) = try open(path)
    defer { close(descriptor) }
    var status = stat()
    if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, size > 0 { return size }
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    var count = 0
    while case let read = try next(descriptor, &buffer), read > 0 { count += read }
    return count
  }

  /// Returns the sorted names of the files and folders in a folder, without hidden ones. Returns an empty list if the folder can't be read.
  public func names(in folder: String) -> [String] { (try? list(folder)) ?? [] }

  /// Returns the sorted names of the files and folders in a folder, without hidden ones. Throws an error if the folder can't be read.
  package func list(_ folder: String) throws(WorkflowFileError) -> [String] {
    guard let stream = opendir(folder) else { throw WorkflowFileError(SystemFiles.message(errno)) }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }

  private func open(_ path: String) throws(WorkflowFileError) -> (descriptor: Int32, size: Int) {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw WorkflowFileError(SystemFiles.message(errno)) }
    var status = stat()
    let code = fstat(descriptor, &status) == 0 ? 0 : errno
    if code == 0, status.st_mode & S_IFMT != S_IFDIR { return (descriptor, Int(status.st_size)) }
    close(descriptor)
    throw WorkflowFileError(code == 0 ? "it is a folder" : SystemFiles.message(code))
  }

  /// Reads the next bytes of a file into `buffer`. Returns their number, or 0 at the end of the file.
  private func next(_ descriptor: Int32, _ buffer: inout [UInt8]) throws(WorkflowFileError) -> Int {
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count >= 0 { return count }
      if errno != EINTR { throw WorkflowFileError(SystemFiles.message(errno)) }
    }
  }

  private func realPath(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  private func isLink(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  private static func message(_ code: Int32) -> String {
    switch code {
    case ENOENT: "no such file"
    case EACCES, EPERM: "permission denied"
    default: String(cString: strerror(code))
    }
  }
}
