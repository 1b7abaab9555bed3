import { compileJob, parseSchedule } from '@kron/core'
import { MetricRegistry } from '@kron/runtime'
import type { DaemonView, JobView } from '../../src/daemon/daemon-view.js'
import type { Shown } from '../../src/listen/routes.js'

const now = Date.UTC(2026, 2, 1, 12)
/** In everything that must not be shown. */
export const secret = 'hunter2'

function viewOf(name: string, file = 'a'): JobView {
  const identity = `/etc/krond.d/${file}:${name}`
  const job = compileJob({
    ...parseSchedule('0 2 * * * @tz(Europe/Paris) @win(after,2h)'),
    identity,
  })
  const nominal = job.currentPeriod(now)!
  const chosen = job.decide(nominal).chosenTime!
  const process = { pid: 71, startTicks: 5, bootId: 'b' }
  return {
    hostJob: {
      identity,
      name,
      job,
      settings: {
        command: { text: secret, shell: true, words: [secret] } as never,
        account: null,
        cwd: `/srv/${secret}`,
        env: { TOKEN: secret },
        umask: null,
        timeoutMs: null,
        stdout: { kind: 'inherit' } as never,
        stderr: { kind: 'inherit' } as never,
        stdin: secret,
      },
    },
    phase: 'waiting',
    planned: job.decide(job.nextPeriod(nominal)!),
    responsibleSince: now - 86_400_000,
    last: { nominal, outcome: 'executed', chosen },
    running: [{ nominal, chosen, startedAt: chosen + 40, process }],
    history: [
      {
        nominal: nominal - 86_400_000,
        outcome: 'missed',
        chosen,
        completedAt: chosen,
        exitCode: null,
      },
      { nominal, outcome: 'executed', chosen, completedAt: chosen + 5000, exitCode: 3 },
    ],
  }
}

export const jobs = [viewOf('zeta'), viewOf('alpha'), viewOf('mid/dle'), viewOf('alpha', 'b')]

export const view: DaemonView & { ready: boolean } = {
  ready: true,
  startedAt: now,
  jobs: () => jobs,
  job(wanted) {
    const found = jobs.filter(({ hostJob }) => [hostJob.identity, hostJob.name].includes(wanted))
    return found.length === 1 ? found[0] : undefined
  },
}

const metrics = new MetricRegistry()
metrics.counter({ name: 'krond_starts_total', help: 'Starts.' }).increment(7)

export const state = { healthy: true, logTrouble: null as string | null }
export const shown: Shown = {
  view,
  metrics,
  clock: { now: () => new Date(now) },
  healthy: () => state.healthy,
  logTrouble: () => state.logTrouble,
}
