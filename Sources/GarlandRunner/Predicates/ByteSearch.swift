import GarlandJSON
import Glibc

/// Finds a text within another text by comparing UTF-8 bytes. A match cannot begin inside a character, since in UTF-8 no byte inside a
/// character equals the first byte of a character.
enum ByteSearch {
  static func contains(_ part: String, in text: String) -> Bool {
    var part = part
    var text = text
    return text.withUTF8 { haystack in
      part.withUTF8 { needle in
        guard let needleStart = needle.baseAddress, !needle.isEmpty else { return true }
        guard let start = haystack.baseAddress, haystack.count >= needle.count else { return false }
        let computation = Computation.current
        // Searches from one occurrence of the first byte to the next.
        let end = start + (haystack.count - needle.count + 1)
        var place = start
        while place < end, let found = memchr(place, Int32(needle[0]), end - place) {
          if memcmp(found, needleStart, needle.count) == 0 { return true }
          // In the worst case, such as a text of equal letters, each comparison reads the whole needle.
          if let computation, computation.isOver(after: 1 + needle.count / 64) { return false }
          place = UnsafePointer(found.assumingMemoryBound(to: UInt8.self)) + 1
        }
        return false
      }
    }
  }
}
