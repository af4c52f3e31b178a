import ArgumentParser

/// The seed of `--shuffle`: a number, or `random` for a seed that is chosen now.
struct ShuffleSeed: ExpressibleByArgument {
  let value: UInt64

  init?(argument: String) {
    if argument == "random" {
      // The seed is short enough to be typed again.
      value = UInt64.random(in: 1...999_999)
    } else if let number = UInt64(argument) {
      value = number
    } else {
      return nil
    }
  }
}
