public import GarlandJSON

// Serializers by name: `response(.decodable(of: User.self))`.

extension ResponseSerializer where Self == DataResponseSerializer {
  /// The raw content.
  public static var data: DataResponseSerializer { DataResponseSerializer() }
  /// The raw content; `requiresContent` decides whether missing content is an error.
  public static func data(requiresContent: Bool) -> DataResponseSerializer { DataResponseSerializer(requiresContent: requiresContent) }
}

extension ResponseSerializer where Self == StringResponseSerializer {
  /// The content as text in the character set of the response.
  public static var string: StringResponseSerializer { StringResponseSerializer() }
  /// The content as text in the given character set.
  public static func string(charset: String?) -> StringResponseSerializer { StringResponseSerializer(charset: charset) }
}

extension ResponseSerializer where Self == JSONResponseSerializer {
  /// The content as JSON.
  public static var json: JSONResponseSerializer { JSONResponseSerializer() }
  /// The content as JSON, parsed with options.
  public static func json(options: JSONParsingOptions) -> JSONResponseSerializer { JSONResponseSerializer(options: options) }
}

extension ResponseSerializer where Self == PropertyListResponseSerializer {
  /// The content as a property list.
  public static var propertyList: PropertyListResponseSerializer { PropertyListResponseSerializer() }
}

extension ResponseSerializer where Self == MarkupResponseSerializer {
  /// The content as an XML tree.
  public static var xml: MarkupResponseSerializer { MarkupResponseSerializer(.xml) }
  /// The content as an HTML tree.
  public static var html: MarkupResponseSerializer { MarkupResponseSerializer(.html) }
}

extension ResponseSerializer {
  /// The content as a value of a type.
  public static func decodable<Value: Decodable & Sendable>(
    of type: Value.Type = Value.self, format: DecodableResponseSerializer<Value>.Format = .json, decoder: ValueDecoder = ValueDecoder()
  ) -> DecodableResponseSerializer<Value> where Self == DecodableResponseSerializer<Value> {
    DecodableResponseSerializer(of: type, format: format, decoder: decoder)
  }

  /// The value of the first serializer that succeeds.
  public static func first<Value: Sendable>(
    of serializers: any ResponseSerializer<Value>...
  ) -> CompoundResponseSerializer<Value> where Self == CompoundResponseSerializer<Value> {
    CompoundResponseSerializer(serializers)
  }
}
