import ArgumentParser

/// The seed of `--shuffle`: a number, or `random` for one that is drawn now.
struct ShuffleSeed: ExpressibleByArgument {
  let value: UInt64

  init?(argument: String) {
    if argument == "random" {
      // Short enough to be typed again.
      value = UInt64.random(in: 1...999_999)
    } else if let number = UInt64(argument) {
      value = number
    } else {
      return nil
    }
  }
}
