import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const file = fileURLToPath(new URL('../need-node.mjs', import.meta.url))
const [major, minor] = process.versions.node.split('.').map(Number) as [number, number]

function started(node: string) {
  const code = `import { needNode } from ${JSON.stringify(file)}
    needNode('kron', { node: ${JSON.stringify(node)} })
    console.log('goes on')`
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', code],
    {
      encoding: 'utf8',
    },
  )
  return { status, stdout, stderr }
}

describe('a program', () => {
  it.each([`>=${major}.${minor}`, `>=${major}`, `>=${major - 1}.99`, `>=${major}.${minor}.0`])(
    'that needs Node %s goes on',
    (node) => {
      expect(started(node)).toEqual({ status: 0, stdout: 'goes on\n', stderr: '' })
    },
  )

  it.each([`${major}.${minor + 1}`, `${major + 1}`, `${major + 1}.0`])(
    'that needs Node %s says so, and which one this is, and ends',
    (wanted) => {
      expect(started(`>=${wanted}`)).toEqual({
        status: 4,
        stdout: '',
        stderr:
          `kron needs Node ${wanted} or later, and this is Node ${process.versions.node} ` +
          `(${process.execPath})\n`,
      })
    },
  )

  it('can be told so by any Node that runs modules: the check imports nothing', () => {
    expect(readFileSync(file, 'utf8')).not.toMatch(/^import /m)
  })
})
