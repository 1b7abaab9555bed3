export type { ManifestObject } from './manifest-object.js'
export { problemFinding } from './manifest-object.js'
export { inputName, type Manifests, objectsOfKind, readManifests } from './read-manifests.js'
