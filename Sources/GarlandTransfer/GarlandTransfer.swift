// Users of transfers need one import: percent-encoding is part of their interface.
@_exported public import GarlandText
