import { createRequire } from 'node:module'

/** `kron 0.1.0`. */
export function versionText(): string {
  const { version } = createRequire(import.meta.url)('../../package.json') as { version: string }
  return `kron ${version}`
}
