import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A program that is called instead of flock, until it is removed. */
export interface ScriptedFlock {
  /** With which arguments it was called. */
  calls(): string[]
  remove(): void
}

/**
 * Puts a shell script in the place of the program flock. In it `$call` is how often it was called
 * with this one, and `real` is the program itself.
 */
export function scriptedFlock(script: string, mode = 0o700): ScriptedFlock {
  const path = process.env['PATH']
  const real = spawnSync('sh', ['-c', 'command -v flock'], { encoding: 'utf8' }).stdout.trim()
  const folder = mkdtempSync(join(tmpdir(), 'kron-flock-'))
  const log = join(folder, 'calls')
  const source = `#!/bin/sh
    echo "$*" >> '${log}'
    call=0
    while read -r line; do call=$((call + 1)); done < '${log}'
    real() { exec '${real}' "$@"; }
    ${script}
  `
  writeFileSync(join(folder, 'flock'), source, { mode })
  process.env['PATH'] = `${folder}:${path}`
  return {
    calls: () => (existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n') : []),
    remove() {
      process.env['PATH'] = path
      rmSync(folder, { recursive: true })
    },
  }
}
