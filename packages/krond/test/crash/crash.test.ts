import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { Random } from '../../../../simulation/random.js'
import { auditLog } from '../../src/audit/log-audit.js'
import { stateFileName } from '../../src/state/index.js'
import { type CrashPoint, crashPoints } from './crash-point.js'
import type { MortalOptions } from './mortal-krond.js'

/** A minute of the daemon takes a fifth of a second. */
const factor = 300
/** Real time within which a busy machine has certainly started what was triggered. */
const settleMs = 2500
const kills = Number(process.env['KRON_KILLS'] ?? 50)
const worlds = 3
const mortalKrond = fileURLToPath(new URL('mortal-krond.ts', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'kron-crash-'))

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/**
 * Appends its name, its period, and the last period that its state file has as handled at that
 * moment: its own at least, since that must be on disk before anything of the job runs.
 */
const script = `
last=$(sed -n 's/.*"LastHandledPeriodID":"\\([^"]*\\)".*/\\1/p' "$3")
echo "$1 $KRON_PERIOD_ID $last" >> "$2"
sleep "$4"
`

interface World {
  readonly options: Omit<MortalOptions, 'point'>
  readonly ran: string
  readonly log: string[]
}

function makeWorld(name: string): World {
  const home = join(folder, name)
  mkdirSync(home, { mode: 0o700 })
  const state = join(home, 'state')
  const ran = join(home, 'ran')
  const krontab = join(home, 'jobs.krontab')
  const line = (schedule: string, job: string, seconds: number): string => {
    const stateFile = join(state, stateFileName(`${krontab}:${job}`))
    const words = ['/bin/sh', join(home, 'job.sh'), job, ran, stateFile, seconds]
    return `${schedule} name=${job} command="${words.join(' ')}"`
  }
  writeFileSync(ran, '')
  writeFileSync(join(home, 'job.sh'), script)
  const lines = [
    line('* * * * * @policy(deadline=30m)', 'forbidden', 0),
    line('* * * * * @policy(deadline=30m,concurrency=allow)', 'allowed', 0.3),
    line('* * * * * @policy(deadline=30m,concurrency=replace)', 'replaced', 5),
    line('* * * * * @win(after,40s) @policy(deadline=30m)', 'windowed', 0.3),
    '* * * * * @policy(deadline=1m) name=impossible command=/no/such/command',
    '* * * * * @only(dates=2001-01-01..2001-12-31) name=never command=/bin/true',
  ]
  writeFileSync(krontab, lines.join('\n'), { mode: 0o600 })
  return { options: { krontab, state, since: Date.now(), factor }, ran, log: [] }
}

/** One life: until it dies at its point, or is told to stop because it did not come to it. */
async function live(world: World, point: CrashPoint | null, longestMs: number): Promise<boolean> {
  const options: MortalOptions = { ...world.options, point }
  const child = spawn(process.execPath, [mortalKrond, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  let timer: NodeJS.Timeout | undefined
  child.stdout.on('data', (piece: Buffer) => {
    output += piece.toString()
    // From its first word on: how long a process takes to get there depends on the machine.
    timer ??= setTimeout(() => child.kill('SIGTERM'), longestMs)
  })
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
  clearTimeout(timer)
  world.log.push(...output.split('\n').filter((text) => text !== ''))
  if (signal === 'SIGKILL') return true
  expect(code, output).toBe(0)
  return false
}

interface Ran {
  readonly job: string
  readonly period: string
  readonly lastHandled: string
}

function ranIn({ ran }: World): Ran[] {
  const lines = readFileSync(ran, 'utf8').split('\n').filter(Boolean)
  return lines.map((line) => {
    const [job, period, lastHandled] = line.split(' ')
    return { job: job!, period: period!, lastHandled: lastHandled! }
  })
}

/** From the outside: what ran. From the inside: what the daemon says it did. */
function check(world: World): void {
  const all = ranIn(world)
  expect(all.filter(({ period, lastHandled }) => !(lastHandled >= period))).toEqual([])
  const names = all.map(({ job, period }) => `${job} ${period}`)
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  expect(auditLog(world.log).violations).toEqual([])
  // Nobody answered for the jobs before the world began; a window may open before that.
  const early = all.filter(({ period }) => Date.parse(period) < world.options.since)
  expect(early.filter(({ job }) => job !== 'windowed')).toEqual([])
  for (const name of ['forbidden', 'allowed', 'replaced', 'windowed']) {
    expect(all.some(({ job }) => job === name)).toBe(true)
  }
}

/** In the last life nothing is disturbed: what was due when it began, and all after it, must run. */
async function lastLife(world: World): Promise<void> {
  const before = world.log.length
  expect(await live(world, null, 5000)).toBe(false)
  const events = world.log.slice(before).map((line) => JSON.parse(line) as LoggedEvent)
  const triggered = events.filter(
    ({ event, verdict }) => event === 'trigger' && verdict === 'execute',
  )
  const names = new Set(ranIn(world).map(({ job, period }) => `${job} ${period}`))
  // One can't be executed, and one may be ended by its successor before it has written a line.
  const promised = triggered.filter(({ identity }) => !/:(?:impossible|replaced)$/.test(identity))
  expect(promised.length).toBeGreaterThan(3)
  // The stop at the end calls off what has no process yet, and ends what has just begun.
  const stop = Date.parse(events.find(({ event }) => event === 'stop')!.time)
  for (const { identity, period_id, time } of promised) {
    if (stop - Date.parse(time) < settleMs * factor) continue
    expect(names).toContain(`${identity.split(':')[1]} ${period_id}`)
  }
}

interface LoggedEvent {
  readonly event: string
  readonly time: string
  readonly verdict?: string
  readonly identity: string
  readonly period_id: string
}

describe('krond, killed between two effects', () => {
  it(`runs no period twice and none unrecorded in ${kills} lives`, async () => {
    const seed = Number(process.env['KRON_SEED'] ?? 1)
    const share = Math.ceil(kills / worlds)
    const runs = Array.from({ length: worlds }, (_, number) => makeWorld(`world-${number}`))
    const running = runs.map(async (world, number) => {
      const random = new Random(seed + number)
      let killed = 0
      for (let life = number; killed < share; life++) {
        expect(life, 'lives that did not come to their point').toBeLessThan(share * 10)
        const place = crashPoints[(life * 7) % crashPoints.length]!
        if (await live(world, { ...place, passage: random.between(1, 8) }, 4000)) killed++
      }
      await lastLife(world)
      check(world)
    })
    await Promise.all(running)
  })
})
