import Foundation

/// The place of the checkout whose tests run.
public enum Repository {
  /// The folder that holds `Package.swift`, links resolved.
  public static let path: String = {
    var url = URL(filePath: #filePath).resolvingSymlinksInPath()
    while url.path != "/", !FileManager.default.fileExists(atPath: url.appending(path: "Package.swift").path) {
      url.deleteLastPathComponent()
    }
    return url.path
  }()

  /// A path below it.
  public static func path(_ relative: String) -> String { path + "/" + relative }

  /// The folder that the running tests were built into: the command is there too.
  public static let products: String = {
    var url = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    url.deleteLastPathComponent()
    // Swift Testing runs a bundle through a helper of the toolchain in some set-ups; the bundle's own path is then an argument.
    for argument in CommandLine.arguments where argument.hasSuffix(".xctest") {
      url = URL(filePath: argument).deletingLastPathComponent()
    }
    return url.path
  }()
}
