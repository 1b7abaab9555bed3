export type { ManifestObject } from './manifest-object.js'
export { objectsOfKind } from './passed-over.js'
export { problemFinding } from './problem-finding.js'
export { inputName, type Manifests, readManifests } from './read-manifests.js'
