import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

const sources: Readonly<Record<string, string>> = {
  kron: 'packages/server/bin/kron.js',
  krond: 'packages/krond/bin/krond.mjs',
  krontab: 'packages/krond/bin/krontab.mjs',
  kronctl: 'packages/operator/bin/kronctl.mjs',
  'kron-operator': 'packages/operator/bin/kron-operator.mjs',
}

/** A folder for the PATH with our programs, run by a Node of choice. */
export function installPrograms(folder: string, node: string): void {
  mkdirSync(folder, { recursive: true })
  for (const [name, path] of Object.entries(sources)) {
    if (!existsSync(join(root, path))) throw new Error(`${path} is missing`)
    const file = join(folder, name)
    writeFileSync(file, `#!/bin/sh\nexec '${node}' '${join(root, path)}' "$@"\n`)
    chmodSync(file, 0o755)
  }
}
