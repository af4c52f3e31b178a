import CFuzzer
import FuzzTargets
import Glibc

/// `fuzz TARGET [OPTION…] [CORPUS…]`: libFuzzer's command line after the name of a target.
@main struct Fuzz {
  static func main() {
    var arguments = CommandLine.arguments
    // A process that libFuzzer starts for `-fork` or `-merge` has the target in its environment only.
    if arguments.count > 1, let named = FuzzTarget(rawValue: arguments[1]) {
      arguments.remove(at: 1)
      setenv(Fuzz.variable, named.rawValue, 1)
    }
    guard Fuzz.target != nil else {
      let names = FuzzTarget.allCases.map(\.rawValue).joined(separator: " | ")
      say("usage: \(arguments.first ?? "fuzz") \(names) [libFuzzer's options] [folder…]\n")
      exit(64)
    }
    // libFuzzer calls back without a context: the target travels through the environment of this process.
    var pointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    var count = CInt(arguments.count)
    let status = pointers.withUnsafeMutableBufferPointer { buffer in
      var first = buffer.baseAddress
      return LLVMFuzzerRunDriver(&count, &first) { data, size in
        Fuzz.run([UInt8](UnsafeBufferPointer(start: data, count: size)))
        return 0
      }
    }
    exit(status)
  }

  private static func say(_ text: String) {
    text.withCString { _ = write(STDERR_FILENO, $0, strlen($0)) }
  }

  static let variable = "GARLAND_FUZZ_TARGET"
  static let target = getenv(variable).flatMap { FuzzTarget(rawValue: String(cString: $0)) }

  static func run(_ input: [UInt8]) {
    guard let violation = target?.violation(of: input) else { return }
    say("violation: \(violation)\n")
    abort()
  }
}
