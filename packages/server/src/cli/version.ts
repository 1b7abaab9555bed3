import { versions } from '../version.js'

/** `kron 0.1.0 (tzdata 2026f)`. */
export function versionText(): string {
  return `kron ${versions.version} (tzdata ${versions.tzdata})`
}
