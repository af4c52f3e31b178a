import CCurl
import Glibc

/// The connection of a stream, such as a WebSocket. A ``TransferCore`` polls the socket of the connection together with the sockets of
/// libcurl. The connection is used on the core's thread only.
protocol EngineStream: AnyObject {
  var descriptor: Int32 { get }
  /// The events for which the socket of the stream is polled, as libcurl's bits `CURL_WAIT_POLLIN` and `CURL_WAIT_POLLOUT`.
  var events: Int16 { get }
  /// The index of this stream in the core's list of streams; -1 if the core does not watch this stream.
  var index: Int { get set }
  /// Performs all operations that are possible without waiting, and then updates ``events``.
  func process(_ core: TransferCore)
  /// Ends the stream and all its operations with an error.
  func fail(_ error: NetworkingError, _ core: TransferCore)
}

/// Methods that watch the sockets of streams, and process the operations of the streams.
extension TransferCore {
  func add(_ stream: any EngineStream) {
    stream.index = streams.count
    streams.append(stream)
  }

  func remove(_ stream: any EngineStream) {
    guard stream.index >= 0 else { return }
    let last = streams.removeLast()
    if last !== stream {
      streams[stream.index] = last
      last.index = stream.index
    }
    stream.index = -1
  }

  /// Waits until the network or the file descriptor `event` is ready, or until the time `milliseconds` has passed. Then processes the
  /// streams that are ready. Returns whether `event` was signalled.
  func waitWithStreams(_ multi: OpaquePointer, event: Int32, milliseconds: Int32) -> Bool {
    var waits = [curl_waitfd(fd: event, events: Int16(CURL_WAIT_POLLIN), revents: 0)]
    var waiting: [any EngineStream] = []
    for stream in streams where stream.events != 0 {
      waits.append(curl_waitfd(fd: stream.descriptor, events: stream.events, revents: 0))
      waiting.append(stream)
    }
    curl_multi_poll(multi, &waits, UInt32(waits.count), milliseconds, nil)
    context.now = MonotonicClock.now
    for (wait, stream) in zip(waits.dropFirst(), waiting) where wait.revents != 0 && stream.index >= 0 { stream.process(self) }
    return waits[0].revents != 0
  }
}
