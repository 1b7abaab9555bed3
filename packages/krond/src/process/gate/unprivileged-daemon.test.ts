import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { daemon, nobody } from '../../../testing/process/sample-start.js'
import { sourceOutput } from '../../../testing/process/source-process.js'
import { selfOf } from '../accounts/system-accounts.js'

/** The paths of a checkout may be closed to others. */
const asNobody = selfOf().uid === 0 ? { uid: nobody.uid, gid: nobody.gid } : {}
const canRunNode =
  spawnSync(process.execPath, ['--version'], { ...asNobody, cwd: '/' }).status === 0
if (!canRunNode) console.warn('a daemon that is not root is not tested: nobody may not run node')

describe.runIf(canRunNode)('a daemon that is not root', () => {
  it.each([
    ['root', { ...nobody, name: 'root', uid: 0, gid: 0 }],
    ['a user with groups', { ...daemon, groups: [4, 20] }],
    ['its own user with another group', { ...nobody, uid: asNobody.uid ?? selfOf().uid, gid: 4 }],
  ])('can not run a job as %s', async (_, account) => {
    const text = `
      const account = ${JSON.stringify(account)}
      const failure = await processes.prepare(sampleStart(['/bin/true'], { account })).catch((e) => e)
      console.log(failure.category, failure.message)`
    const { output, errors } = await sourceOutput(text, asNobody)
    expect(errors).toBe('')
    expect(output).toMatch(/^ExecutionError can't become user /)
  })

  it('runs a job as itself, which keeps its groups', async () => {
    const text = `
      const account = { name: 'self', home: '/', uid: process.getuid(), gid: process.getgid(),
        groups: process.getgroups() }
      const gate = await processes.prepare(sampleStart(['/bin/true'], { account }))
      console.log((await gate.release()).kind, (await gate.exited).code)`
    expect((await sourceOutput(text, asNobody)).output).toBe('running 0\n')
  })
})

describe.runIf(canRunNode && selfOf().uid === 0)('a daemon whose user has no entry', () => {
  it('runs jobs that have its number for a name, in the root folder', async () => {
    const text = `
      const start = sampleStart(['/bin/sh', '-c', 'echo $USER $HOME; pwd'], { cwd: null })
      const gate = await processes.prepare({ ...start, onLine: (_, line) => console.log(line) })
      await gate.release()
      await gate.exited`
    const unknown = { uid: 54_321, gid: nobody.gid }
    expect((await sourceOutput(text, unknown)).output).toBe('54321 /\n/\n')
  })
})
