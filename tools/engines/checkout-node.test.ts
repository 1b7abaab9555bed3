import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { refusalOf } from './checkout-node.mjs'

const root = new URL('../../', import.meta.url)

describe('the Node of a checkout', () => {
  it.each(['v22.19.0', 'v22.20.1', 'v24.0.0', 'v26.1.0'])('may be %s', (version) => {
    expect(refusalOf(version)).toBeNull()
  })

  it.each(['v18.20.0', 'v20.20.2', 'v22.18.9'])('may not be %s', (version) => {
    expect(refusalOf(version)).toContain(`Node 22.19 or newer, and this is ${version}`)
  })

  it('is checked before anything is built', () => {
    const { scripts } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as {
      scripts: Record<string, string>
    }
    expect(scripts['build']).toMatch(/^node tools\/engines\/checkout-node\.mjs && /)
    const checked = spawnSync('node', ['tools/engines/checkout-node.mjs'], {
      cwd: fileURLToPath(root),
      encoding: 'utf8',
    })
    expect([checked.status, checked.stderr]).toEqual([0, ''])
  })
})
