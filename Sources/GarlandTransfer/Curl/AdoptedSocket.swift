import CCurl
import Glibc

/// A connected socket on its way to libcurl. One that libcurl did not take is closed.
final class AdoptedSocket {
  private let place = UnsafeMutablePointer<Int32>.allocate(capacity: 1)

  init(_ socket: Int32) { place.initialize(to: socket) }

  deinit {
    if place.pointee >= 0 { close(place.pointee) }
    place.deallocate()
  }

  /// Has libcurl use it instead of making one. It must live until the connection is made.
  func give(to easy: EasyHandle) { garland_adopt_socket(easy.handle, place) }
}
