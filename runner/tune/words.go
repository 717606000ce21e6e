package tune

// AlongPath is the word, in place of a list, for the values that the engine's own path has.
const AlongPath = "path"

// EnginePrefix is the prefix of a parameter in tune if an option of tune has the same name: params.k beside k.
const EnginePrefix = "params."
