import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { installedEngine } from '../../../tools/engines/installed-engine.js'
import { naiveMinutes } from './naive-minutes.js'

const from = '2026-03-08T03:00:00Z'
const to = '2026-03-09T09:00:00Z'
const zone = 'America/New_York'
const expressions = ['30 2 * * *', '0,30 1 * * *']
const inFolder = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

const run = (node: string, script: string, args: readonly string[]): unknown =>
  JSON.parse(
    execFileSync(node, [inFolder(script), ...args], {
      env: { ...process.env, KRON_ZONE: zone },
      encoding: 'utf8',
    }),
  )

describe.each(['20.20.2', '22.23.3', '24.21.0', '26.10.0'])('on Node %s', (version) => {
  const engine = installedEngine(version)
  if ('missing' in engine) console.warn(`NOT TRIED on Node ${version}: ${engine.missing}`)
  const isMissing = 'missing' in engine
  const node = 'node' in engine ? engine.node : ''

  it.skipIf(isMissing)('tasks run at the same minutes', () => {
    const expected = expressions.map((expression) =>
      naiveMinutes(expression, zone, Date.parse(from), Date.parse(to)),
    )
    expect(run(node, 'dst-on-host.mjs', [from, to, ...expressions])).toEqual(expected)
  })

  it.skipIf(isMissing)('SQLite keeps tasks, or says what it needs', () => {
    const outcome = run(node, 'sqlite-on-engine.mjs', [])
    if (!version.startsWith('20.')) expect(outcome).toEqual({ runs: 1, name: null })
    else expect(outcome).toEqual({ runs: 0, name: 'StorageUnusableError' })
  })
})
