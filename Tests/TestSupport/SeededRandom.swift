import GarlandText

/// Numbers that look random and are the same each time, so that what a test finds once it finds again.
///
/// ```swift
/// var generator = SeededRandom(seed: 7)
/// let byte = UInt8.random(in: 0...255, using: &generator)
/// ```
package typealias SeededRandom = SeededGenerator
