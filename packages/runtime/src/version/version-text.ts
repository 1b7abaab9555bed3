import { tzdataVersion } from '@kron/core'
import { kronVersion } from './kron-version.js'

/** `krontab 0.1.0 (tzdata 2026f)`: both decide what a schedule means. */
export function versionText(program: string): string {
  return `${program} ${kronVersion} (tzdata ${tzdataVersion})`
}
