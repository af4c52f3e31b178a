public import GarlandJSON

// Serializers by name: `response(.decodable(of: User.self))`.

extension ResponseSerializer where Self == DataResponseSerializer {
  /// A serializer for the raw content.
  public static var data: DataResponseSerializer { DataResponseSerializer() }
  /// A serializer for the raw content; `requiresContent` decides whether missing content is an error.
  public static func data(requiresContent: Bool) -> DataResponseSerializer { DataResponseSerializer(requiresContent: requiresContent) }
}

extension ResponseSerializer where Self == StringResponseSerializer {
  /// A serializer for the content as text in the character set of the response.
  public static var string: StringResponseSerializer { StringResponseSerializer() }
  /// A serializer for the content as text in the given character set.
  public static func string(charset: String?) -> StringResponseSerializer { StringResponseSerializer(charset: charset) }
}

extension ResponseSerializer where Self == JSONResponseSerializer {
  /// A serializer for the content as JSON.
  public static var json: JSONResponseSerializer { JSONResponseSerializer() }
  /// A serializer for the content as JSON, parsed with options.
  public static func json(options: JSONParsingOptions) -> JSONResponseSerializer { JSONResponseSerializer(options: options) }
}

extension ResponseSerializer where Self == PropertyListResponseSerializer {
  /// A serializer for the content as a property list.
  public static var propertyList: PropertyListResponseSerializer { PropertyListResponseSerializer() }
}

extension ResponseSerializer where Self == MarkupResponseSerializer {
  /// A serializer for the content as an XML tree.
  public static var xml: MarkupResponseSerializer { MarkupResponseSerializer(.xml) }
  /// A serializer that parses the content as HTML, and returns the tree of its elements.
  public static var html: MarkupResponseSerializer { MarkupResponseSerializer(.html) }
}

extension ResponseSerializer {
  /// A serializer that decodes the content as a value of a type.
  public static func decodable<Value: Decodable & Sendable>(
    of type: Value.Type = Value.self, format: DecodableResponseSerializer<Value>.Format = .json, decoder: ValueDecoder = ValueDecoder()
  ) -> DecodableResponseSerializer<Value> where Self == DecodableResponseSerializer<Value> {
    DecodableResponseSerializer(of: type, format: format, decoder: decoder)
  }

  /// A serializer that tries `serializers` in order, and returns the value of the first one that succeeds.
  public static func first<Value: Sendable>(
    of serializers: any ResponseSerializer<Value>...
  ) -> CompoundResponseSerializer<Value> where Self == CompoundResponseSerializer<Value> {
    CompoundResponseSerializer(serializers)
  }
}
