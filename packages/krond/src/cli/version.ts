import { createRequire } from 'node:module'
import { tzdataVersion } from '@kron/core'

/** `0.1.0 (tzdata 2026f)`: both decide what a schedule means. */
export function versionText(): string {
  const { version } = createRequire(import.meta.url)('../../package.json') as { version: string }
  return `krontab ${version} (tzdata ${tzdataVersion})`
}
