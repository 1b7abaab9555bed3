/** What the learner adds to the record of a run: endpoints that it leaves alone beside others. */
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseSteering } from '../../packages/server/dist/dispatch/index.js'
import {
  defaultDefinition,
  type EndpointDefinition,
  newId,
} from '../../packages/server/dist/domain/index.js'
import { EndpointPlanning, type Outcome } from '../../packages/server/dist/scheduling/index.js'
import type { ClaimedRun, Store } from '../../packages/server/dist/store/index.js'
import { openPostgresStore } from '../../packages/server/dist/store/postgres/postgres-store.js'
import { openSqliteStore } from '../../packages/server/dist/store/sqlite/sqlite-store.js'
import { defaultWorkerLimits } from '../../packages/server/dist/worker/worker.js'
import { startPostgres } from '../../tools/postgres/index.ts'
import { scratchFolder } from '../krond/scratch-folder.ts'
import { addEndpoints } from './contenders/kron/endpoints.ts'

const endpoints = 2_000
const batch = 100
/** Rounds that don't count come first: code is compiled, and the learner has seen some runs. */
const warmUps = 5
const rounds = 20
const gapMs = 300_000
/** A change in one run of so many, as of an endpoint that is called twelve times an hour. */
const changesEvery = 12

const planners = ['off', 'suggest', 'on'] as const satisfies EndpointDefinition['planner'][]

/** One store, whose endpoints have all the same field `planner`. */
class Contender {
  readonly planner: EndpointDefinition['planner']
  readonly #store: Store
  readonly #rules = new EndpointPlanning({
    maxDefinitions: 100_000,
    readSteering: parseSteering,
    onBroken: (_, error) => {
      throw error
    },
  })
  /** Of the rounds that count, for each run. */
  readonly wallUs: number[] = []
  readonly processorUs: number[] = []

  constructor(planner: EndpointDefinition['planner'], store: Store) {
    this.planner = planner
    this.#store = store
  }

  async open(): Promise<void> {
    await this.#store.migrate()
    const dueAt = (await this.#store.time()) - 400 * gapMs
    const assignment = { dueAt, count: endpoints, targetUrl: 'http://127.0.0.1/' }
    await addEndpoints(this.#store, assignment, {
      planner: this.planner,
      baseline: { ...defaultDefinition.baseline, intervalMs: gapMs },
    })
  }

  /** Each endpoint runs once, at an instant that lies `gapMs` after its last one. */
  async round(number: number): Promise<void> {
    const startedAt = (await this.#store.time()) - (300 - number) * gapMs
    let wallMs = 0
    let processorUs = 0
    for (let n = 0; n < endpoints / batch; n++) {
      const claimed = await this.#claim()
      const outcomes = claimed.map((run) => outcomeOf(run, startedAt, number))
      const used = process.cpuUsage()
      const begin = performance.now()
      await this.#store.record(outcomes, this.#rules)
      wallMs += performance.now() - begin
      const { user, system } = process.cpuUsage(used)
      processorUs += user + system
    }
    if (number < warmUps) return
    this.wallUs.push((wallMs * 1000) / endpoints)
    this.processorUs.push(processorUs / endpoints)
  }

  close(): Promise<void> {
    return this.#store.close()
  }

  async #claim(): Promise<readonly ClaimedRun[]> {
    const { crowd } = defaultWorkerLimits
    const request = {
      claimId: newId('req', Date.now()),
      owner: 'bench',
      limit: batch,
      withinMs: 0,
      crowd,
    }
    const { claimed } = await this.#store.claim(request, this.#rules)
    if (claimed.length !== batch) throw new Error(`${claimed.length} were claimed`)
    return claimed
  }
}

function outcomeOf(run: ClaimedRun, startedAt: number, round: number): Outcome {
  const { endpointId, scheduledFor, tenantId, fence, overlapping } = run
  const phase = Number.parseInt(endpointId.slice(-3), 32) || 0
  const state = Math.floor((round + phase) / changesEvery)
  const body = JSON.stringify({ state, items: ['some', 'words', 'of', 'an', 'answer'], ok: true })
  return {
    ...{ endpointId, scheduledFor, tenantId, fence, overlapping },
    status: 'success',
    reason: null,
    startedAt,
    endedAt: startedAt + 20,
    attempts: 1,
    error: null,
    response: {
      httpStatus: 200,
      headers: { 'content-type': 'application/json', date: 'Thu, 19 Nov 2026 12:00:00 GMT' },
      truncated: false,
      body: Buffer.from(body),
    },
  }
}

const best = (values: readonly number[]): number => Math.min(...values)
const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1]!

async function measure(name: string, open: () => Promise<Store>): Promise<void> {
  const contenders: Contender[] = []
  for (const planner of planners) contenders.push(new Contender(planner, await open()))
  for (const contender of contenders) await contender.open()
  for (let round = 0; round < warmUps + rounds; round++) {
    for (const contender of contenders) await contender.round(round)
  }
  const [off] = contenders as [Contender, ...Contender[]]
  for (const { planner, wallUs, processorUs } of contenders) {
    const ratio = (of: (values: readonly number[]) => number, own: number[], base: number[]) =>
      `${((of(own) / of(base) - 1) * 100).toFixed(1)} %`
    const added =
      planner === 'off'
        ? ''
        : `, ${ratio(median, processorUs, off.processorUs)} more processor time` +
          ` (best rounds: ${ratio(best, processorUs, off.processorUs)}),` +
          ` ${ratio(median, wallUs, off.wallUs)} more time`
    console.log(
      `${name}, planner ${planner}: ${median(processorUs).toFixed(1)} us of the processor,` +
        ` ${median(wallUs).toFixed(1)} us in all${added}`,
    )
  }
  for (const contender of contenders) await contender.close()
}

const folder = scratchFolder()
const server = await startPostgres()
try {
  console.log(`the record of a run, in batches of ${batch}, median of ${rounds} rounds`)
  await measure('SQLite', async () =>
    openSqliteStore({
      path: join(mkdtempSync(join(folder, 'learner-')), 'kron.db'),
      now: Date.now,
    }),
  )
  await measure('PostgreSQL', async () => openPostgresStore({ url: await server.createDatabase() }))
} finally {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}
