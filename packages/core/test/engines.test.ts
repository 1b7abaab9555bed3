import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { installedEngine } from '../../../tools/engines/installed-engine.js'

const script = fileURLToPath(new URL('decision-digest.mjs', import.meta.url))

const versions = ['20.20.2', '22.23.3', '24.21.0', '26.10.0']
function digest(node: string, env: Record<string, string> = {}): string {
  return execFileSync(node, [script], { env: { ...process.env, ...env }, encoding: 'utf8' })
}

describe('the same decisions', () => {
  let expected: string

  beforeAll(() => {
    expected = digest(process.execPath)
    expect(expected).toMatch(/^14400 [0-9a-f]{64}\n$/)
  })

  for (const version of versions) {
    it(`on Node ${version}`, ({ skip }) => {
      const engine = installedEngine(version)
      if ('missing' in engine) {
        console.warn(`NOT TRIED on Node ${version}: ${engine.missing}`)
        skip(engine.missing)
        return
      }
      expect(digest(engine.node)).toBe(expected)
    })
  }

  it.each([
    { TZ: 'America/New_York' },
    { TZ: 'Pacific/Apia', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' },
    { TZ: 'Asia/Kathmandu', LANG: 'ar_EG.UTF-8', LC_ALL: 'ar_EG.UTF-8' },
    { TZ: 'Australia/Lord_Howe', LANG: 'C', LC_ALL: 'C' },
  ])('under %o', (env) => {
    expect(digest(process.execPath, env)).toBe(expected)
  })
})
