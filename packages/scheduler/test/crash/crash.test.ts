import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkTrace, formatViolation, type TraceEvent } from '@kron/scheduler/testing'
import Database from 'better-sqlite3'
import { afterAll, expect, it } from 'vitest'
import { Random } from '../../../../simulation/random.js'

const kills = Number(process.env['KRON_KILLS'] ?? (process.env['KRON_LONG'] === '1' ? 300 : 60))
const taskCount = 1000
/** A minute passes in half a second. */
const speed = 120

const expressions = ['* * * * *', '0,30 * * * *', '0,15,30,45 * * * *', '5-15 * * * *']
const script = fileURLToPath(new URL('mortal-process.mjs', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'kron-scheduler-crash-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const database = join(folder, 'state.db')
const logOf = (life: number): string => join(folder, `${life}.jsonl`)
const epoch = { virtual: Date.UTC(2026, 2, 2), real: Date.now() }
const virtualNow = (): number => epoch.virtual + Math.floor((Date.now() - epoch.real) * speed)

const tasks = Array.from({ length: taskCount }, (_, index) => ({
  name: `task ${index}`,
  expression: expressions[index % 10] ?? '20,40 * * * *',
  retryDelayMs: [0, 20_000, 120_000][index % 3]!,
}))

function live(life: number): ChildProcess {
  const log = logOf(life)
  const about = JSON.stringify({ database, log, tasks, epoch, speed, seed: life })
  return spawn(process.execPath, [script, about], { stdio: ['ignore', 'ignore', 'inherit'] })
}

/** The lines of a life; the kill may have come in the middle of the last one. */
function linesOf(life: number): string[] {
  if (!existsSync(logOf(life))) return []
  return readFileSync(logOf(life), 'utf8').split('\n').slice(0, -1)
}

async function untilLogged(life: number, child: ChildProcess, lines: number): Promise<void> {
  while (linesOf(life).length < lines) {
    expect(child.exitCode, 'the process ended by itself').toBe(null)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

const traceOf = (life: number): TraceEvent[] =>
  linesOf(life).map((line) => JSON.parse(line) as TraceEvent)

interface Row {
  readonly name: string
  readonly running_instance: string | null
}

function stored(): Row[] {
  const opened = new Database(database)
  try {
    expect(opened.pragma('integrity_check')).toEqual([{ integrity_check: 'ok' }])
    return opened
      .prepare<[], Row>('SELECT name, running_instance FROM task JOIN task_state USING (id)')
      .all()
  } finally {
    opened.close()
  }
}

/** Tasks whose callback was called in this life and had not ended. */
function runningIn(trace: readonly TraceEvent[]): Set<string> {
  const running = new Set<string>()
  for (const line of trace) {
    if (line.event === 'RS') running.add(line.task)
    else if (line.event === 'REs' || line.event === 'REf') running.delete(line.task)
  }
  return running
}

it(`a thousand tasks survive ${kills} kills: orphans start once more, nothing is lost`, async () => {
  const random = new Random(4)
  const trace: TraceEvent[] = []
  let orphans = 0
  let inInitialize = 0
  for (let life = 1; life <= kills; life++) {
    const child = live(life)
    // Now and then before it is initialized, mostly some time after.
    await untilLogged(life, child, random.chance(0.1) ? 1 : random.between(2, 1500))
    child.kill('SIGKILL')
    await once(child, 'exit')
    const lived = traceOf(life)
    const running = runningIn(lived)
    const recorded = stored().filter((row) => row.running_instance !== null)
    const names = new Set(recorded.map(({ name }) => name))
    const unrecorded = [...running].filter((name) => !names.has(name))
    expect(unrecorded, 'called without a start on disk').toEqual([])
    // A start that was recorded and not made yet, or an end that was not recorded yet.
    const uncertain = [...names].filter((name) => !running.has(name))
    const at = Math.max(virtualNow(), lived.at(-1)!.at)
    trace.push(...lived, { event: 'Crash', at, uncertain })
    orphans += recorded.length
    if (lived.length === 1) inInitialize++
  }
  const survivor = live(0)
  await untilLogged(0, survivor, 3 * taskCount)
  survivor.kill('SIGTERM')
  await once(survivor, 'exit')
  trace.push(...traceOf(0))
  const report = checkTrace(trace, { timeZone: 'UTC', lagMs: 60_000 * speed })
  expect(report.violations.slice(0, 5).map((found) => formatViolation(found, trace))).toEqual([])
  const starts = trace.filter(({ event }) => event === 'RS').length
  console.log(`${kills} kills, ${inInitialize} in initialize; ${starts} starts, ${orphans} orphans`)
  expect(orphans).toBeGreaterThan(0)
  expect(stored().every((row) => row.running_instance === null)).toBe(true)
}, 1_200_000)
