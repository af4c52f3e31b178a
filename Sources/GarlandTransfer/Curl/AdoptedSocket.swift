import CCurl
import Glibc

/// A connected socket to pass to libcurl. If libcurl does not use the socket, this object closes it.
final class AdoptedSocket {
  private let place = UnsafeMutablePointer<Int32>.allocate(capacity: 1)

  init(_ socket: Int32) { place.initialize(to: socket) }

  deinit {
    if place.pointee >= 0 { close(place.pointee) }
    place.deallocate()
  }

  /// Makes libcurl use the socket instead of creating one. This `AdoptedSocket` must live until the connection is made.
  func give(to easy: EasyHandle) { garland_adopt_socket(easy.handle, place) }
}
