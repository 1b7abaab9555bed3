import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { SystemError } from '@kron/core'
import { describe, expect, it } from 'vitest'
import { sourceOutput } from '../../testing/process/source-process.js'
import { processIdentity, signalGroup } from './process-identity.js'

const isRoot = process.getuid?.() === 0
const nobody = { uid: 65_534, gid: 65_534 }
const canTry =
  isRoot && spawnSync(process.execPath, ['-e', '0'], { ...nobody, cwd: '/' }).status === 0
if (!canTry) console.warn('a signal that is not allowed is not tested: that takes root and nobody')

describe.runIf(canTry)('a process of another user', () => {
  it('can not be signalled, which is an error of the system', async () => {
    const other = spawn('sleep', ['1000'], { detached: true })
    const identity = JSON.stringify(processIdentity(other.pid!))
    const text = `
      let failure
      try { processes.signal(${identity}, 'SIGTERM') } catch (error) { failure = error }
      console.log(processes.isAlive(${identity}), failure?.category, failure?.message)`
    const { output } = await sourceOutput(text, nobody)
    expect(output).toBe(
      `true ${SystemError.name} SIGTERM can't be sent to process group ${other.pid}: EPERM\n`,
    )
    expect(signalGroup(processIdentity(other.pid!)!, 'SIGKILL')).toBe(true)
    await once(other, 'exit')
  })
})
