import GarlandWorkflow
import Glibc

/// Facts that the operating system provides about this process and this machine.
enum ProcessEnvironment {
  /// The environment variables. If a name occurs twice, the first one is used, as by `getenv`.
  static var current: [String: String] {
    var variables = [String: String](minimumCapacity: 64)
    // The pointer is null after `clearenv`, although its type does not allow nil.
    guard var entry = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>(bitPattern: UInt(bitPattern: environ)) else { return variables }
    while let text = entry.pointee {
      entry += 1
      guard let equals = strchr(text, Int32(UInt8(ascii: "="))) else { continue }
      let name = UnsafeRawBufferPointer(start: text, count: UnsafePointer(equals) - UnsafePointer(text))
      let key = String(decoding: name, as: UTF8.self)
      if variables[key] == nil { variables[key] = String(cString: equals + 1) }
    }
    return variables
  }

  /// Returns the path of the working directory; `/` if it was removed.
  static func currentDirectory() -> String {
    guard let path = getcwd(nil, 0) else { return "/" }
    defer { free(path) }
    return String(cString: path)
  }

  /// The current date in UTC.
  static var today: CalendarDay { CalendarDay(secondsSince1970: Double(time(nil))) }

  /// The host name of this machine; empty if the machine has no host name.
  static var hostName: String {
    var name = [CChar](repeating: 0, count: 256)
    // The last byte always stays zero, even for a long name.
    guard gethostname(&name, name.count - 1) == 0 else { return "" }
    return name.withUnsafeBufferPointer { buffer in buffer.baseAddress.map { String(cString: $0) } ?? "" }
  }
}
