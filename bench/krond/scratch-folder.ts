import { mkdirSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const cache = fileURLToPath(new URL('../../node_modules/.cache', import.meta.url))

/** On the disk of the repository: folders for temporary files are often in memory, or crowded. */
export function scratchFolder(): string {
  mkdirSync(cache, { recursive: true })
  return mkdtempSync(join(cache, 'kron-bench-'))
}
