import { describe, expect } from 'vitest'
import { type EndpointWithPlan, type Run, type RunKey, runId } from '../../src/domain/index.js'
import type { OpenRunFilter, RunFilter } from '../../src/store/index.js'
import { sampleRun } from '../sample-endpoint.js'
import { everyPage } from './page-conformance.js'
import { requestRun } from './requested-conformance.js'
import { type Check, hour, minute, type Place, type World } from './world-conformance.js'

/** The newest first; of one instant the greater id. */
function byAge(a: Run, b: Run): number {
  return b.scheduledFor - a.scheduledFor || (a.endpointId < b.endpointId ? 1 : -1)
}

async function endpointIds(world: World, place: Place, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let n = 0; n < count; n++) ids.push((await world.endpoint(place)).endpoint.id)
  return ids
}

export function describeRuns(check: Check): void {
  describe('runs', () => {
    check('that are open are found by endpoint and by job, and no others', async (world) => {
      const place = await world.place()
      const other = { ...place, job: await world.job(place.tenant) }
      const held = await world.due(place)
      const twice = await world.due(place, { concurrency: 'allow' })
      const ended = await world.due(place)
      const asked = await world.endpoint(place, {}, { nextRunAt: null })
      const elsewhere = await world.due(other)
      const { claimed } = await world.claim()
      expect(claimed).toHaveLength(4)
      const runOf = ({ endpoint }: EndpointWithPlan): RunKey => {
        const run = claimed.find(({ endpointId }) => endpointId === endpoint.id)!
        return { endpointId: run.endpointId, scheduledFor: run.scheduledFor }
      }
      const done = claimed.find(({ endpointId }) => endpointId === ended.endpoint.id)!
      await world.recordOne(done)
      const at = await requestRun(world, asked)
      const pending = { endpointId: asked.endpoint.id, scheduledFor: at }
      const open = (of: OpenRunFilter) => world.as(place.tenant, (rows) => rows.runs.open(of))
      const sorted = (runs: readonly RunKey[]) => runs.map((run) => runId(run)).sort()
      const all = [runOf(held), runOf(twice), pending]
      expect(sorted(await open({ jobId: place.job.id }))).toEqual(sorted(all))
      expect(await open({ endpointId: elsewhere.endpoint.id })).toEqual([runOf(elsewhere)])
      expect(await open({ endpointId: ended.endpoint.id })).toEqual([])
    })

    check('are found as they were made', async (world) => {
      const place = await world.place()
      const [endpointId] = await endpointIds(world, place, 1)
      const full = sampleRun(1_700_000_000_123, {
        endpointId: endpointId!,
        tenantId: place.tenant.id,
        source: 'replay',
        status: 'timeout',
        reason: `a 'reason'`,
        fence: 2 ** 40,
        owner: 'wrk_7',
        claimedAt: 1,
        startedAt: 2,
        endedAt: 3,
        attempts: 4,
        error: { code: 'timeout', message: 'nothing came \u{1F552}' },
        response: { httpStatus: 504, headers: { a: 'b' }, bodyBytes: 9, truncated: true },
        notes: ['Kron-Next-Run: not a time'],
        context: {
          failureCount: 3,
          intervalHint: { intervalMs: 5, reason: null },
          oneShotHint: { nextRunAt: 6, reason: 'r' },
          violations: ['minIntervalMs'],
          replayOf: 'run_x',
        },
      })
      const nothing = { startedAt: null, endedAt: null, claimedAt: null, owner: null }
      const unsaid = { error: null, response: null, notes: [] }
      const bare: Run = { ...full, ...nothing, ...unsaid, scheduledFor: 7 }
      await world.as(place.tenant, async (rows) => {
        for (const run of [full, bare]) {
          expect(await rows.runs.insert(run)).toBe(true)
          expect(await rows.runs.get(run)).toEqual(run)
          expect(await rows.runs.body(run)).toBeNull()
        }
        expect(await rows.runs.get({ ...full, scheduledFor: 8 })).toBeNull()
        expect(await rows.runs.body({ ...full, scheduledFor: 8 })).toBeNull()
      })
    })

    check('are one for each instant of an endpoint', async (world) => {
      const place = await world.place()
      const [first, second] = await endpointIds(world, place, 2)
      const of = (endpointId: string) =>
        sampleRun(5, { endpointId, tenantId: place.tenant.id, status: 'pending' })
      await world.as(place.tenant, async (rows) => {
        expect(await rows.runs.insert(of(first!))).toBe(true)
        expect(await rows.runs.insert({ ...of(first!), status: 'success' })).toBe(false)
        expect(await rows.runs.get(of(first!))).toMatchObject({ status: 'pending' })
        expect(await rows.runs.insert(of(second!))).toBe(true)
        expect(await rows.runs.insert(of('ep_of_nobody'))).toBe(false)
      })
    })

    check('end once', async (world) => {
      const place = await world.place()
      const [endpointId] = await endpointIds(world, place, 1)
      await world.as(place.tenant, async (rows) => {
        let scheduledFor = 0
        for (const status of ['pending', 'running'] as const) {
          const run = sampleRun(++scheduledFor, {
            endpointId: endpointId!,
            tenantId: place.tenant.id,
            status,
            endedAt: null,
          })
          await rows.runs.insert(run)
          const end = { status: 'cancelled', reason: 'user', at: 50 } as const
          expect(await rows.runs.end(run, end)).toBe(true)
          const ended = { ...run, status: 'cancelled', reason: 'user', endedAt: 50 }
          expect(await rows.runs.get(run)).toEqual(ended)
          const again = { status: 'success', reason: 'late', at: 60 } as const
          expect(await rows.runs.end(run, again)).toBe(false)
          expect(await rows.runs.get(run)).toEqual(ended)
        }
        const none = { endpointId: endpointId!, scheduledFor: 99 }
        expect(await rows.runs.end(none, { status: 'cancelled', reason: '', at: 1 })).toBe(false)
      })
    })

    check('are listed by every filter, page by page, the newest first', async (world) => {
      const place = await world.place()
      const elsewhere = { ...place, job: await world.job(place.tenant) }
      const here = await endpointIds(world, place, 2)
      const there = await endpointIds(world, elsewhere, 1)
      const made: Run[] = []
      for (let n = 0; n < 60; n++) {
        const change: Partial<Run> = {
          endpointId: [...here, ...there][n % 3]!,
          tenantId: place.tenant.id,
          status: (['success', 'failure', 'skipped', 'running'] as const)[n % 4]!,
          source: n % 5 === 0 ? 'manual' : 'baseline-cron',
        }
        // Several endpoints run at the same instant.
        made.push(sampleRun(hour + Math.floor(n / 3) * minute, change))
      }
      const filters: [RunFilter, (run: Run) => boolean][] = [
        [{}, () => true],
        [{ endpointId: here[0]! }, (run) => run.endpointId === here[0]],
        [{ jobId: elsewhere.job.id }, (run) => run.endpointId === there[0]],
        [{ status: ['failure'] }, (run) => run.status === 'failure'],
        [
          { status: ['skipped', 'running'] },
          (run) => run.status === 'skipped' || run.status === 'running',
        ],
        [{ source: 'manual' }, (run) => run.source === 'manual'],
        [{ from: hour + 5 * minute }, (run) => run.scheduledFor >= hour + 5 * minute],
        [{ before: hour + 5 * minute }, (run) => run.scheduledFor < hour + 5 * minute],
        [
          { from: hour + minute, before: hour + 2 * minute, jobId: place.job.id },
          (run) => run.scheduledFor === hour + minute && run.endpointId !== there[0],
        ],
        [
          { endpointId: there[0]!, status: ['success'], source: 'baseline-cron', from: 0 },
          (run) =>
            run.endpointId === there[0] &&
            run.status === 'success' &&
            run.source === 'baseline-cron',
        ],
        [{ jobId: 'job_of_nobody' }, () => false],
      ]
      await world.as(place.tenant, async (rows) => {
        for (const run of made) await rows.runs.insert(run)
        for (const [filter, keeps] of filters) {
          const expected = made.filter(keeps).sort(byAge)
          for (const limit of [1, 7, 60]) {
            const list = everyPage(limit, (page) => rows.runs.list({ ...page, ...filter }))
            expect(await list, JSON.stringify(filter)).toEqual(expected)
          }
        }
      })
    })

    check('that come while one turns pages neither repeat nor hide any', async (world) => {
      const place = await world.place()
      const [endpointId] = await endpointIds(world, place, 1)
      const at = (scheduledFor: number) =>
        sampleRun(scheduledFor, { endpointId: endpointId!, tenantId: place.tenant.id })
      await world.as(place.tenant, async (rows) => {
        for (let n = 1; n <= 10; n++) await rows.runs.insert(at(n * 10))
        const first = await rows.runs.list({ limit: 5, after: null })
        await rows.runs.insert(at(1000))
        const second = await rows.runs.list({ limit: 5, after: first.next })
        const seen = [...first.items, ...second.items].map(({ scheduledFor }) => scheduledFor)
        expect(seen).toEqual([100, 90, 80, 70, 60, 50, 40, 30, 20, 10])
        expect(second.next).toBeNull()
      })
    })
  })
}
