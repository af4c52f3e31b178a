// Users of sessions need one import.
@_exported public import GarlandTransfer
