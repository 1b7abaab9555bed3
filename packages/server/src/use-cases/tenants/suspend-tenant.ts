import { instantText } from '../../domain/index.js'
import { auditChange } from '../audit-change.js'
import { type Asker, type Call, inCall, type ServicePorts } from '../call.js'
import { everyItem } from '../every-item.js'
import { suspendEndpoints } from '../jobs/suspend-endpoints.js'
import { cancelOpenRuns } from '../runs/cancel-open-runs.js'

const reason = 'tenant_suspended'

/**
 * Stops everything that a tenant does, in this order:
 *
 *  1. it is marked: API requests with its keys are refused, at the latest when a process looks the
 *     key up again (three seconds);
 *  2. job by job, in transactions of their own, nothing is planned any more, and what is pending or
 *     running is cancelled.
 *
 * Dying in between leaves a tenant whose keys are refused and some of whose jobs still run. All of
 * it may be repeated.
 */
export async function suspendTenant(ports: ServicePorts, asker: Asker): Promise<void> {
  await inCall(ports, asker, (call) => mark(call, call.rows.now))
  for (const jobId of await jobsOf(ports, asker)) {
    await inCall(ports, asker, async (call) => {
      // Who changes the job at this moment still found the tenant active, and ends first.
      if ((await call.rows.jobs.get(jobId)) === null) return
      await suspendEndpoints(call, jobId, reason)
      await cancelOpenRuns(call, { jobId }, reason)
    })
  }
}

/**
 * The way back, with the mark last: were it taken first, a tenant whose keys work could have jobs
 * that stand still. Jobs that it had paused stay paused. Dying in between leaves it suspended, with
 * some of its jobs running; all of it may be repeated.
 */
export async function resumeTenant(ports: ServicePorts, asker: Asker): Promise<void> {
  for (const jobId of await jobsOf(ports, asker)) {
    await inCall(ports, asker, async ({ rows }) => {
      const job = await rows.jobs.get(jobId)
      const { suspendedAt } = await rows.tenant.get()
      // Of one that is not suspended nothing has to be planned again.
      if (suspendedAt === undefined || job?.status !== 'active') return
      await rows.plans.unsuspend(jobId)
      rows.wakeAt(rows.now)
    })
  }
  await inCall(ports, asker, (call) => mark(call, null))
}

/** Archived ones as well: what ran when they were put away may still be under way. */
async function jobsOf(ports: ServicePorts, asker: Asker): Promise<readonly string[]> {
  const ids: string[] = []
  const jobs = everyItem((page) => inCall(ports, asker, ({ rows }) => rows.jobs.list(page)))
  for await (const { id } of jobs) ids.push(id)
  return ids
}

async function mark(call: Call, at: number | null): Promise<void> {
  const { rows, tenantId } = call
  const { suspendedAt } = await rows.tenant.lock()
  if ((suspendedAt === undefined) === (at === null)) return
  await rows.tenant.suspend(at)
  const textOf = (instant: number | null) => instant && instantText(instant)
  await auditChange(call, {
    action: at === null ? 'tenant.resume' : 'tenant.suspend',
    subject: tenantId,
    before: { suspendedAt: textOf(suspendedAt ?? null) },
    after: { suspendedAt: textOf(at) },
  })
}
