import GarlandJSON

extension DataStreamRequest {
  /// Converts each piece of the stream to a value with a serializer.
  public func values<Serializer: DataStreamSerializer>(
    with serializer: Serializer
  ) -> AsyncThrowingMapSequence<DataStreamRequest, Serializer.Output> {
    map { piece in
      do {
        return try serializer.serialize(piece)
      } catch let error as NetworkingError {
        throw error
      } catch let error as NetworkingError.Serialization {
        throw NetworkingError(.serialization(error))
      } catch let error as JSONParsingError {
        throw NetworkingError(.serialization(.json(error)))
      } catch {
        throw NetworkingError(.serialization(.custom(.init(error))))
      }
    }
  }
}
