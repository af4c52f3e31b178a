// Programs that use sessions need only one import.
@_exported public import GarlandJSON
@_exported public import GarlandTransfer
@_exported public import HTTPTypes
