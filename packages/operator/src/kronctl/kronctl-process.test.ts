import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { kronJobYaml } from '../../testing/kronctl/samples.js'
import { startProgram } from '../../testing/kronctl/start-kronctl.js'

const folder = mkdtempSync(join(tmpdir(), 'kronctl-'))
writeFileSync(join(folder, 'backup.yaml'), kronJobYaml('backup'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('the kronctl program', () => {
  it('works on a file without a cluster', async () => {
    const args = ['validate', '-f', 'backup.yaml', '--strict']
    expect(await startProgram('kronctl', args, { folder })).toEqual({
      status: 0,
      stdout: '1 file, 1 KronJob, 0 errors, 0 warnings\n',
      stderr: '',
    })
  })

  it('reads standard input', async () => {
    const input = kronJobYaml('a', '0 3 * * *')
    const { status, stdout } = await startProgram('kronctl', ['next', '-f', '-'], { folder, input })
    expect(status).toBe(0)
    expect(stdout).toMatch(/^default\/a {2}0 3 \* \* \*\n/)
  })

  it('says in a line that no cluster is configured, and that files do as well', async () => {
    const { status, stderr } = await startProgram('kronctl', ['next', 'backup'], { folder })
    expect(status).toBe(1)
    expect(stderr).toMatch(/^kronctl: no cluster is configured: .*\nhint: -f <file> .*\n$/)
  })

  it.each(['next', 'explain', 'simulate', 'import', 'validate'])(
    'knows a file that is named without -f: %s backup.yaml',
    async (command) => {
      const { status, stderr } = await startProgram('kronctl', [command, 'backup.yaml'], { folder })
      expect({ status, stderr }).toEqual({
        status: 1,
        stderr:
          'kronctl: "backup.yaml" is a file, and files are named with -f\n' +
          'hint: kronctl <command> -f backup.yaml\n',
      })
    },
  )

  it('is a plugin of kubectl as well', async () => {
    const { status, stdout } = await startProgram('kubectl-kron', ['run', '--help'], { folder })
    expect(status).toBe(0)
    expect(stdout).toMatch(/^Usage: kubectl kron run \[options\] <name>/)
  })
})
