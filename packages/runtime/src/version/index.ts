export { kronVersion } from './kron-version.js'
export { versionText } from './version-text.js'
