import { createRequire } from 'node:module'
import { tzdataVersion } from '@kron/core'
import type { ProgramName } from './program-name.js'

/** `kronctl 0.1.0 (tzdata 2026f)`: both decide what a schedule means. */
export function versionText(program: ProgramName): string {
  const { version } = createRequire(import.meta.url)('../../package.json') as { version: string }
  return `${program} ${version} (tzdata ${tzdataVersion})`
}
