import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { dueNow, KrondHome } from './krond-home.js'
import { isRoot } from './root.js'

let home: KrondHome | null = null
afterEach(() => home?.remove())

const id = 'command="/usr/bin/id"'

describe.skipIf(!isRoot)('krond of root', () => {
  it('gives each job its user, group and supplementary groups, and no more', async () => {
    home = new KrondHome()
    home.jobs(
      `${dueNow} name=nobody ${id} user=nobody`,
      `${dueNow} name=both ${id} user=nobody group=daemon`,
      `${dueNow} name=group ${id} group=daemon`,
      `${dueNow} name=eve ${id} user=no-such-user`,
    )
    const daemon = home.start()
    const lineOf = async (name: string) => {
      const { line } = await daemon.event('output', { identity: `${home!.krontab}:${name}` })
      return String(line)
    }
    expect(await lineOf('nobody')).toMatch(
      /^uid=65534\(nobody\) gid=65534\(\w+\)( groups=65534\(\w+\))?$/,
    )
    expect(await lineOf('both')).toMatch(/^uid=65534\(nobody\) gid=1\(daemon\)/)
    expect(await lineOf('both')).not.toMatch(/[(=,]0\(root\)/)
    expect(await lineOf('group')).toMatch(/^uid=0\(root\) gid=1\(daemon\)( groups=1\(daemon\))?$/)
    expect(daemon.events('error')).toMatchObject([
      {
        operation: 'read_configuration',
        error_type: 'ConfigurationError',
        code: 'KRON_ACCOUNT_UNKNOWN',
        message: expect.stringContaining(`${home.krontab}:4: job eve: user "no-such-user"`),
      },
    ])
    daemon.kill('SIGTERM')
    expect(await daemon.ended).toBe(0)
  })
})

const nobody = { uid: 65_534, gid: 65_534 }
const krond = fileURLToPath(new URL('../../bin/krond.mjs', import.meta.url))
const canBeNobody =
  isRoot && spawnSync(process.execPath, [krond, '--version'], { ...nobody, cwd: '/' }).status === 0
if (!canBeNobody) {
  console.warn('krond of another user is not tested: that takes root, and files nobody may read')
}

describe.skipIf(!canBeNobody)('krond of another user', () => {
  it('runs jobs as that user, and refuses those of others', async () => {
    const { uid } = nobody
    home = new KrondHome(nobody)
    chownSync(home.folder, uid, uid)
    home.jobs(`${dueNow} name=own ${id}`, `${dueNow} name=root ${id} user=root`)
    chownSync(home.krontab, uid, uid)
    chmodSync(home.krontab, 0o600)
    const strict = home.start('--strict')
    expect(await strict.ended).toBe(2)
    const daemon = home.start()
    const { line } = await daemon.event('output')
    expect(line).toMatch(/^uid=65534\(nobody\) gid=65534/)
    expect(daemon.events('error')).toMatchObject([
      {
        error_type: 'ConfigurationError',
        code: 'KRON_ACCOUNT_UNKNOWN',
        message: expect.stringMatching(
          /:2: job root: user must be the user of krond itself \(65534\)/,
        ),
      },
    ])
    daemon.kill('SIGTERM')
    expect(await daemon.ended).toBe(0)
    expect(daemon.events('started')).toHaveLength(1)
  })

  it('ends with 3 when its state folder is read-only', async () => {
    const { uid } = nobody
    home = new KrondHome(nobody)
    chownSync(home.folder, uid, uid)
    home.jobs(`${dueNow} name=own ${id}`)
    chownSync(home.krontab, uid, uid)
    home.makeState(0o500)
    chownSync(home.state, uid, uid)
    const daemon = home.start()
    expect(await daemon.ended).toBe(3)
    const lock = `${home.state}/krond.lock`
    expect(daemon.events('error')).toMatchObject([
      { code: 'KRON_STATE_LOCK', message: expect.stringContaining(`can't open "${lock}"`) },
    ])
  })
})
