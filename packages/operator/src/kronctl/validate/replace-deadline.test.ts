import { describe, expect, it } from 'vitest'
import { runInMemory } from '../../../testing/kronctl/memory-world.js'
import { kronJobYaml } from '../../../testing/kronctl/samples.js'

async function codesOf(policy: string): Promise<string[]> {
  const input = kronJobYaml('backup', '17 3 * * *', `policy: ${policy}`)
  const { stdout } = await runInMemory(['validate', '-f', '-', '--format', 'json'], { input })
  const { findings } = JSON.parse(stdout) as { findings: { code: string }[] }
  return findings.map(({ code }) => code)
}

describe('a deadline that a replacement hardly keeps', () => {
  it.each(['1s', '29s'])('is warned of: %s', async (deadline) => {
    const codes = await codesOf(`{concurrency: replace, deadline: ${deadline}}`)
    expect(codes).toEqual(['KRON_WARN_REPLACE_DEADLINE'])
  })

  it.each([
    '{concurrency: replace, deadline: 30s}',
    '{concurrency: replace, deadline: 0s}',
    '{concurrency: replace}',
    '{concurrency: allow, deadline: 1s}',
    '{concurrency: forbid, deadline: 1s}',
  ])('is not %s', async (policy) => {
    expect(await codesOf(policy)).toEqual([])
  })
})
