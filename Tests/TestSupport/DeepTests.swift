import Foundation

/// How much a test with random or generated input tries: `make test` tries some of it, `make test-deep` all.
public enum DeepTests {
  /// Whether `make test-deep` runs the tests.
  public static let areRun = ProcessInfo.processInfo.environment["GARLAND_DEEP"] != nil

  /// Returns the number of rounds: `all` in `make test-deep`, otherwise `some`.
  public static func rounds(_ all: Int, otherwise some: Int) -> Int { areRun ? all : some }
}
