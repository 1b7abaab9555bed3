import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { sampleJob } from '../../testing/daemon/sample-job.js'
import { type Fault, FaultyDisk } from '../../testing/disk/faulty-disk.js'
import { MemoryMachine } from '../../testing/start/memory-machine.js'
import { auditLog } from '../audit/log-audit.js'
import { systemDisk } from '../disk/system-disk.js'
import { decodeState, migrations, stateFileName } from '../state/index.js'

const jobMs = 15_000
const jobs = [
  sampleJob('* * * * * @policy(deadline=30s)', { name: 'plain' }),
  sampleJob('* * * * * @policy(concurrency=allow)', { name: 'allowed' }),
  sampleJob('* * * * * @win(after,30s) @avoid(hours=10)', { name: 'never' }),
]
const root = mkdtempSync(join(tmpdir(), 'kron-disk-faults-'))

afterAll(() => rmSync(root, { recursive: true }))

const machineOn = (folder: string) =>
  new MemoryMachine({
    world: () => ({ durationMs: jobMs }),
    at: '2026-03-01T10:00:00Z',
    folder,
    configuration: { jobs, problems: [] },
  })

/** A life on a disk that fails, and one after it on a disk that works. */
async function twoLives(folder: string, faulty: FaultyDisk) {
  const machine = machineOn(folder)
  machine.disk = faulty
  const code = await shortLife(machine)
  const found = statesIn(folder)
  const calls = faulty.calls.slice()
  machine.processes.crash()
  machine.disk = systemDisk()
  return { machine, code, found, calls, later: await shortLife(machine) }
}

/** Some seventy seconds, with the beginning of two minutes in them. */
async function shortLife(machine: MemoryMachine) {
  const exit = machine.run()
  await machine.clock.advanceBy(70_000)
  machine.stop()
  await machine.clock.advanceBy(jobMs)
  return await exit
}

/** What each state file is: `state`, or what is wrong with it. */
function statesIn(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'))
  return names.map((name) => {
    const { identity } = jobs.find((job) => stateFileName(job.identity) === name)!
    const bytes = readFileSync(join(folder, name))
    return decodeState(bytes, { file: name, identity, migrations }).kind
  })
}

const newFolder = () => mkdtempSync(join(root, 'state-'))

const faults: readonly Fault[] = [
  { kind: 'refused', code: 'EIO' },
  { kind: 'done-but-failed', code: 'ENOSPC' },
  { kind: 'short-write' },
]

describe('a disk that works', () => {
  it('lets both lives do all that they should', async () => {
    const { machine, code, later } = await twoLives(newFolder(), new FaultyDisk(systemDisk(), null))
    expect([code, later]).toEqual([0, 0])
    const minutes = ['00', '01', '02']
    expect(machine.executed.sort()).toEqual(
      ['allowed', 'plain'].flatMap((name) =>
        minutes.map((past) => `${name} 2026-03-01T10:${past}:00Z`),
      ),
    )
  })
})

describe.each(faults)('a disk of which one call is $kind $code', (fault) => {
  it('leaves old or new state, no period executed twice, and exit code 3', async () => {
    const { calls } = await twoLives(newFolder(), new FaultyDisk(systemDisk(), null))
    expect(calls.length).toBeGreaterThan(60)
    for (const [index, { kind }] of calls.entries()) {
      const call = index + 1
      const place = `call ${call} of ${calls.length}: ${kind}`
      const disk = new FaultyDisk(systemDisk(), { fault, call })
      const { machine, code, found, later } = await twoLives(newFolder(), disk)
      // Syncs of the folder are shared as it happens, so that the last ones may not come.
      const failed = fault.kind !== 'short-write' && disk.calls.length >= call
      expect(code, place).toBe(failed ? 3 : 0)
      expect(
        found.filter((state) => state !== 'state'),
        place,
      ).toEqual([])
      expect(new Set(machine.executed).size, place).toBe(machine.executed.length)
      expect(later, place).toBe(0)
      const lines = machine.lines.map((line) => JSON.stringify(line))
      expect(auditLog(lines).violations, place).toEqual([])
      if (code === 3) {
        const errors = machine.events('error').map(({ error_type }) => error_type)
        expect(errors, place).toContain('PersistenceError')
      }
    }
  })
})

describe('a disk that fails for good', () => {
  it.each(['create', 'write', 'sync', 'close', 'replace', 'syncFolder'] as const)(
    'at %s has nothing executed',
    async (of) => {
      const fault = { kind: 'refused', code: 'ENOSPC' } as const
      const machine = machineOn(newFolder())
      machine.disk = new FaultyDisk(systemDisk(), { fault, of, call: 1, forever: true })
      for (let life = 0; life < 3; life++) {
        const exit = machine.run()
        await machine.clock.advanceBy(70_000)
        expect(await exit).toBe(3)
        machine.processes.crash()
      }
      expect(machine.executed).toEqual([])
    },
  )
})
