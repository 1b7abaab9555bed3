import {
  type EndpointWithPlan,
  instantText,
  type Run,
  type RunSource,
  runId,
  systemQuotaText,
  untaken,
} from '../domain/index.js'
import type { Call } from './call.js'
import { auditChange } from './change.js'
import { jobArchived } from './jobs.js'
import { Refusal } from './refusal.js'
import { loadRunOfEndpoint } from './runs.js'

/** Runs may have been planned or asked for at the very same milliseconds. */
const maxTries = 1000

interface RunRequest {
  readonly source: Extract<RunSource, 'manual' | 'replay'>
  /** The run that is made again. */
  readonly replayOf: string | null
}

/** Has an endpoint run once as soon as a worker takes it, whatever its plan is. */
export async function requestRun(
  call: Call,
  { endpoint, plan }: EndpointWithPlan,
  { source, replayOf }: RunRequest,
): Promise<Run> {
  if (endpoint.archivedAt !== null) {
    throw new Refusal('endpoint_archived', 'The endpoint is archived. Resume it first.')
  }
  // The endpoint is locked: who archives its job is either seen here, or finds the run and ends it.
  if ((await call.rows.jobs.read(endpoint.jobId))?.status === 'archived') throw jobArchived()
  if (plan.requested !== null) {
    throw new Refusal('run_already_requested', 'A requested run is already waiting for a worker.')
  }
  await checkRunQuota(call)
  await checkSystemQuota(call)
  const first = Math.max(call.rows.now, (plan.handledThrough ?? -1) + 1)
  const run = await insertPending(call, {
    ...untaken,
    endpointId: endpoint.id,
    tenantId: call.tenantId,
    scheduledFor: first,
    periodId: instantText(first),
    source,
    status: 'pending',
    reason: null,
    fence: plan.fence,
    endedAt: null,
    error: null,
    context: { failureCount: plan.failureCount, ...(replayOf !== null && { replayOf }) },
  })
  await call.rows.plans.put({ ...plan, requested: { at: run.scheduledFor, source } })
  const action = source === 'manual' ? 'endpoint.run' : 'run.replay'
  const after = { runId: runId(run), replayOf }
  await auditChange(call, { action, subject: endpoint.id, before: null, after })
  return run
}

async function insertPending({ rows }: Call, wanted: Run): Promise<Run> {
  for (let tried = 0; tried < maxTries; tried++) {
    const scheduledFor = wanted.scheduledFor + tried
    const run = { ...wanted, scheduledFor, periodId: instantText(scheduledFor) }
    if (await rows.runs.insert(run)) return run
  }
  throw new Refusal(
    'run_already_requested',
    'Too many runs were requested at this instant. Try again.',
  )
}

/** Nothing is counted here: the claim does, and refuses if others were faster. */
async function checkRunQuota({ rows }: Call): Promise<void> {
  const { quotas } = await rows.tenant.get()
  if (quotas.runsPerMonth === null) return
  const { runs } = await rows.tenant.usage()
  if (runs < quotas.runsPerMonth) return
  throw new Refusal(
    'quota_exceeded',
    `The quota of ${quotas.runsPerMonth} runs a month is used up.`,
  )
}

async function checkSystemQuota({ rows }: Call): Promise<void> {
  const { runsPerMonth } = rows.system.quotas
  if (runsPerMonth === null) return
  const { runs } = await rows.system.usage()
  if (runs < runsPerMonth) return
  const message = `The ${systemQuotaText(runsPerMonth, 'runs')} is used up.`
  throw new Refusal('system_quota_exceeded', message)
}

/** Makes a run again, by what its endpoint is now. */
export async function replayRun(call: Call, id: string): Promise<Run> {
  const { run, found } = await loadRunOfEndpoint(call, id)
  if (found === null) {
    throw new Refusal('endpoint_deleted', 'The endpoint of this run has been deleted.')
  }
  return requestRun(call, found, { source: 'replay', replayOf: runId(run) })
}
