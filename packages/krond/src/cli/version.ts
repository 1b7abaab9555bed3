import { createRequire } from 'node:module'
import { tzdataVersion } from '@kron/core'

export function packageVersion(): string {
  return (createRequire(import.meta.url)('../../package.json') as { version: string }).version
}

/** `krontab 0.1.0 (tzdata 2026f)`: both decide what a schedule means. */
export function versionText(program: 'krontab' | 'krond'): string {
  return `${program} ${packageVersion()} (tzdata ${tzdataVersion})`
}
