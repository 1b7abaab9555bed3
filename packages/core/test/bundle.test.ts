import { fileURLToPath } from 'node:url'
import { runInNewContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { describe, expect, it } from 'vitest'

const entry = fileURLToPath(new URL('../src/index.ts', import.meta.url))

async function bundled(external: RegExp[]): Promise<string> {
  const build = await rolldown({ input: entry, external, platform: 'browser' })
  const globals = () => 'tzdata'
  const { output } = await build.generate({ format: 'iife', name: 'kron', minify: true, globals })
  return output[0].code
}

describe('the bundle for browsers', () => {
  it('is under 40 KB compressed without zone data', async () => {
    const code = await bundled([/generated\/tzdata/])
    expect(code).not.toContain('Africa/Abidjan|')
    expect(gzipSync(code, { level: 9 }).length).toBeLessThan(40_000)
  })

  it('decides in a world that has nothing but the language', async () => {
    const code = await bundled([])
    const question = `
      const decision = kron.decide({
        identity: 'prod/db-backup',
        nominalTime: Date.UTC(2026, 2, 1),
        window: { mode: 'after', duration: '3h' },
        seed: { strategy: 'stable', salt: 'backup' },
      });
      const caught = (() => { try { kron.zone('Paris') } catch (error) { return error } })();
      [kron.formatInstant(decision.chosenTime), caught.name, caught.message].join('|')`
    expect(runInNewContext(`${code};${question}`, {})).toBe(
      '2026-03-01T02:32:20Z|ConfigurationError|unknown time zone "Paris", expected an IANA name ' +
        'such as Europe/Paris; did you mean Europe/Paris?',
    )
  })
})
