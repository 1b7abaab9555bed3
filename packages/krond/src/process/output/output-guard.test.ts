import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  closeSync,
  constants,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Clock, systemClock } from '@kron/runtime'
import { VirtualClock } from '@kron/runtime/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { until } from '../../../testing/process/until.js'
import { makePipe } from '../../native/file-calls.js'
import type { ProcessIdentity } from '../../state/index.js'
import { isGroupAlive, isProcessAlive, processIdentity, signalGroup } from '../process-identity.js'
import { systemSpawner } from '../spawn/native-spawner.js'
import type { SpawnedProcess, Spawner } from '../spawn/spawner.js'
import { endGuard, OutputGuard } from './output-guard.js'

let folder = ''
let leaders: ProcessIdentity[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kron-guard-'))
})
afterEach(() => {
  for (const leader of leaders) signalGroup(leader, 'SIGKILL')
  leaders = []
  rmSync(folder, { recursive: true })
})

const guardFile = (): string => join(folder, 'guard')

const identityOf = ({ pid }: { pid: number }): ProcessIdentity => processIdentity(pid)!

/** A group of processes that says `ready`; as the guard of a daemon, it leads a session. */
async function startGroup(script: string): Promise<ChildProcess & { pid: number }> {
  const leader = spawn('/bin/sh', ['-c', script], {
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  }) as ChildProcess & { pid: number }
  leaders.push(identityOf(leader))
  await once(leader.stdout!, 'data')
  return leader
}

function leave(guard: unknown): void {
  writeFileSync(guardFile(), JSON.stringify(guard))
}

/** Does at a sleep what the test says, and counts. */
function clockThat(onSleep: (nth: number) => unknown) {
  let slept = 0
  const clock: Clock = {
    ...systemClock(),
    async sleep() {
      await onSleep(++slept)
    },
  }
  return { clock, slept: () => slept }
}

describe('the guard of a daemon that is gone', () => {
  it('is ended with all that it started, and not looked for any longer', async () => {
    const guard = await startGroup('sleep 1000 & echo ready; wait')
    leave(identityOf(guard))
    const { clock, slept } = clockThat(() => until(() => !isGroupAlive(guard.pid)))
    await endGuard(folder, clock)
    expect(isGroupAlive(guard.pid)).toBe(false)
    expect(slept()).toBeLessThan(2)
  })

  it('is waited for while it ends by itself', async () => {
    const go = join(folder, 'go')
    const script = `trap 'while [ ! -e "${go}" ]; do sleep 0.01; done; exit 7' TERM
      echo ready; while read -r line; do :; done`
    const guard = await startGroup(script)
    const exit = once(guard, 'exit')
    leave(identityOf(guard))
    const { clock } = clockThat(async (nth) => {
      if (nth < 3) return
      writeFileSync(go, '')
      await until(() => !isGroupAlive(guard.pid))
    })
    await endGuard(folder, clock)
    expect(await exit).toEqual([7, null])
  })

  it('is ended also when it does not listen', async () => {
    const guard = await startGroup("trap '' TERM; sleep 1000 & echo ready; wait")
    leave(identityOf(guard))
    const { clock } = clockThat(() => until(() => true))
    const exit = once(guard, 'exit')
    await endGuard(folder, clock)
    expect(await exit).toEqual([null, 'SIGKILL'])
    await until(() => !isGroupAlive(guard.pid))
  })
})

describe('a process that has the number of a guard', () => {
  const noTime = clockThat(() => {
    throw new Error('nobody is to be waited for')
  })

  /** What it answers to a word; a signal that was sent before reaches it first. */
  async function answerOf(process: ChildProcess): Promise<string> {
    process.stdin!.on('error', () => {}).write('still there\n')
    const gone = once(process, 'exit').then(() => 'gone')
    return `${await Promise.race([once(process.stdout!, 'data'), gone])}`
  }

  it.each<[string, (identity: ProcessIdentity) => unknown]>([
    ['of another boot', (identity) => ({ ...identity, bootId: 'another' })],
    ['of another time', (identity) => ({ ...identity, startTicks: identity.startTicks! - 1 })],
    ['without a time', (identity) => ({ ...identity, startTicks: null })],
    ['without a boot', (identity) => ({ ...identity, bootId: null })],
    ['that never had one', () => null],
  ])('%s is left alone, and not waited for', async (_, left) => {
    const stranger = await startGroup('echo ready; exec cat')
    leave(left(identityOf(stranger)))
    await endGuard(folder, noTime.clock)
    expect(await answerOf(stranger)).toBe('still there\n')
  })

  it('is not looked for where there is no word of a guard, or half a word', async () => {
    await endGuard(folder, noTime.clock)
    writeFileSync(guardFile(), '{"pid":1')
    await endGuard(folder, noTime.clock)
    expect(noTime.slept()).toBe(0)
  })
})

describe('the guard of this daemon', () => {
  let guards: OutputGuard[] = []
  afterEach(async () => {
    for (const guard of guards) await guard.dismiss()
    guards = []
  })

  function make(spawner: Spawner = systemSpawner()) {
    const clock = new VirtualClock(0)
    const started: SpawnedProcess[] = []
    const guard = new OutputGuard(folder, {
      clock,
      shellPath: '/bin/sh',
      spawner: async (request) => {
        const process = await spawner(request)
        started.push(process)
        leaders.push(identityOf(process))
        return process
      },
    })
    guards.push(guard)
    return { guard, clock, started }
  }

  const written = (): ProcessIdentity => JSON.parse(readFileSync(guardFile(), 'utf8'))

  it('is known to the next daemon by a file that is ours alone', async () => {
    const { guard, started } = make()
    await guard.start()
    expect(written()).toEqual(processIdentity(started[0]!.pid))
    expect(statSync(guardFile()).mode & 0o777).toBe(0o600)
  })

  it('reads what jobs write once the daemon is gone', async () => {
    const pipe = join(folder, '0.stdout.pipe')
    makePipe(pipe)
    const job = openSync(pipe, constants.O_RDWR)
    writeFileSync(join(folder, 'owners'), 'somebody\n')
    const { guard, started } = make()
    await guard.start()
    writeSync(job, 'said\n')
    // As the kernel does for a daemon that is killed.
    started[0]!.channel.destroy()
    const spool = join(folder, '0.stdout.spool')
    await until(() => existsSync(spool) && readFileSync(spool, 'utf8') === 'said\n')
    closeSync(job)
    await started[0]!.exit
    expect(statSync(spool).mode & 0o777).toBe(0o600)
  })

  it('is started again a minute after it was killed', async () => {
    const { guard, clock, started } = make()
    await guard.start()
    process.kill(started[0]!.pid, 'SIGKILL')
    await until(() => clock.pending === 1)
    await clock.advanceBy(59_999)
    expect(started).toHaveLength(1)
    await clock.advanceBy(1)
    await until(() => started.length === 2 && written().pid === started[1]!.pid)
    expect(isProcessAlive(written())).toBe(true)
  })

  it('ends when it is dismissed, for good', async () => {
    const { guard, clock, started } = make()
    await guard.start()
    let isGone = false
    void started[0]!.exit.then(() => {
      isGone = true
    })
    await guard.dismiss()
    expect([isGone, isGroupAlive(started[0]!.pid)]).toEqual([true, false])
    await clock.advanceBy(60_000)
    expect(started).toHaveLength(1)
  })

  it('is not started again when it is dismissed after it was killed', async () => {
    const { guard, clock, started } = make()
    await guard.start()
    process.kill(started[0]!.pid, 'SIGKILL')
    await until(() => clock.pending === 1)
    await guard.dismiss()
    expect(clock.pending).toBe(0)
    await clock.advanceBy(60_000)
    expect(started).toHaveLength(1)
  })

  it('is missed, and no more, where there is no process for another', async () => {
    let asked = 0
    const { guard, clock, started } = make((request) => {
      if (++asked === 1) return systemSpawner()(request)
      return Promise.reject(Object.assign(new Error('no process'), { code: 'EAGAIN' }))
    })
    await guard.start()
    process.kill(started[0]!.pid, 'SIGKILL')
    await until(() => clock.pending === 1)
    await clock.advanceBy(60_000)
    expect([asked, started.length]).toEqual([2, 1])
    await guard.dismiss()
    expect(clock.pending).toBe(0)
  })
})
