import { writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { kronJobCrd } from '../../packages/operator/dist/kronjob/index.js'
import { connectKube, type HttpKubeApi } from '../../packages/operator/dist/kube/http/index.js'
import { jobs, kronJobs } from '../../packages/operator/dist/kube/index.js'
import { type ControlPlane, controllers, startControlPlane } from '../../tools/kube/index.ts'
import { thisMachine } from '../machine.ts'
import { Arrivals } from './arrivals.ts'
import { createAll, cronAt, cronJob, cronJobs, job, kronJob } from './objects.ts'
import { metric, OperatorProcess } from './operator-process.ts'
import { type Results, type Round, render } from './report.ts'

const help = `The controller on a real control plane, beside the API server's own rate and CronJob.

  npm run bench:operator -- [--kronjobs 10000] [--due 500] [--rounds 3] [--readme]

It starts an API server, etcd and a controller manager of its own, and takes some ten minutes.
--readme writes the figures to bench/operator/README.md.
`

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', short: 'h' },
    kronjobs: { type: 'string', default: '10000' },
    due: { type: 'string', default: '500' },
    rounds: { type: 'string', default: '3' },
    readme: { type: 'boolean', default: false },
  },
})

const port = 18_180
const restSeconds = 30
const widths = [16, 32, 64]
const say = (text: string): void => void process.stderr.write(`${text}\n`)

/** Spread over the year, so that nothing is due while this runs. */
function idleSchedule(index: number): string {
  const month = ((new Date().getUTCMonth() + 2 + (index % 9)) % 12) + 1
  return `${index % 60} ${index % 24} ${1 + (index % 28)} ${month} *`
}

async function measure(plane: ControlPlane, api: HttpKubeApi): Promise<Results> {
  const count = Number(values.kronjobs)
  const idle = await plane.createNamespace('idle')
  const objects = Array.from({ length: count }, (_, index) =>
    kronJob(idle, `job-${index}`, idleSchedule(index)),
  )
  say(`creating ${count} KronJobs`)
  await createAll(api, kronJobs, objects, 64)
  const first = await firstStart(plane, count)
  say(`first start: ${JSON.stringify(first)}`)
  const operator = new OperatorProcess(plane.kubeconfigFile(), port)
  const readyMs = await operator.readyMs
  say(`ready again after ${Math.round(readyMs)} ms`)
  await untilAtRest()
  const before = operator.cpuSeconds
  const reconciledBefore = await metric(port, 'kron_operator_reconciliations_total')
  await pause(restSeconds * 1000)
  const cpuAtRest = (operator.cpuSeconds - before) / restSeconds
  const reconciledAtRest =
    (await metric(port, 'kron_operator_reconciliations_total')) - reconciledBefore
  const residentMb = operator.residentMb
  say(`at rest: ${cpuAtRest} of a core, ${residentMb} MB`)
  const rounds: Round[] = []
  for (let number = 1; number <= Number(values.rounds); number++) {
    rounds.push(await measureDue(plane, api, 'kron'))
    rounds.push(await measureOwnRate(plane, api))
    rounds.push(await measureDue(plane, api, 'cronjob'))
  }
  await operator.stop()
  const { reconciliationsPerSecond } = first
  return {
    machine: thisMachine(),
    kubernetes: await versionOf(plane),
    kronJobs: count,
    due: Number(values.due),
    firstReadyMs: first.readyMs,
    readyMs,
    residentMb,
    cpuAtRest,
    reconciledAtRest,
    reconciliationsPerSecond,
    rounds,
  }
}

/** Such as v1.36.3. */
async function versionOf({ client }: ControlPlane): Promise<string> {
  return (await client.demand<{ gitVersion: string }>('GET', '/version')).gitVersion
}

/** At rest means that nothing was reconciled for this long, since templates are checked in between. */
const quietMs = 5_000

/** Resolves when the controller is at rest, with the count and the end of its reconciliations. */
async function untilAtRest(): Promise<{ done: number; endedAt: number }> {
  let done = -1
  let endedAt = performance.now()
  while (performance.now() - endedAt < quietMs) {
    await pause(250)
    const now = await metric(port, 'kron_operator_reconciliations_total')
    if (now !== done) endedAt = performance.now()
    done = now
  }
  return { done, endedAt }
}

/** Each KronJob is looked at, and gets its first status. */
async function firstStart(
  plane: ControlPlane,
  count: number,
): Promise<{ readyMs: number; reconciliationsPerSecond: number }> {
  const operator = new OperatorProcess(plane.kubeconfigFile(), port)
  const readyMs = await operator.readyMs
  const startedAt = performance.now()
  const { done, endedAt } = await untilAtRest()
  const seconds = (endedAt - startedAt) / 1000
  say(`${done} reconciliations, ${count} first statuses in ${seconds.toFixed(1)} s`)
  await operator.stop()
  return { readyMs, reconciliationsPerSecond: done / seconds }
}

/** So many due in one second: how long after it the first, the middle and the last one were there. */
async function measureDue(
  plane: ControlPlane,
  api: HttpKubeApi,
  who: 'kron' | 'cronjob',
): Promise<Round> {
  const due = Number(values.due)
  const namespace = await plane.createNamespace(who)
  const at = Math.ceil((Date.now() + 25_000) / 60_000) * 60_000
  const names = Array.from({ length: due }, (_, index) => `job-${index}`)
  if (who === 'kron') {
    await createAll(
      api,
      kronJobs,
      names.map((name) => kronJob(namespace, name, cronAt(at))),
      32,
    )
  } else {
    await createAll(
      api,
      cronJobs,
      names.map((name) => cronJob(namespace, name, cronAt(at))),
      32,
    )
  }
  const arrivals = new Arrivals()
  await arrivals.start(api, namespace)
  await pause(Math.max(0, at - Date.now()))
  const seen = await arrivals.until(due, 90_000)
  arrivals.stop()
  const round = roundOf(who, arrivals.times, at, seen)
  say(JSON.stringify(round))
  await pause(10_000)
  return round
}

/** The same Jobs, created by a client that does nothing else: the best of several widths. */
async function measureOwnRate(plane: ControlPlane, api: HttpKubeApi): Promise<Round> {
  const due = Number(values.due)
  let best: Round | null = null
  for (const width of widths) {
    const namespace = await plane.createNamespace('own')
    const owner = await api.create(kronJobs, kronJob(namespace, 'owner', idleSchedule(0)))
    const arrivals = new Arrivals()
    await arrivals.start(api, namespace)
    await pause(1000)
    const at = Date.now()
    const objects = Array.from({ length: due }, (_, index) => job(owner, `job-${index}`))
    await createAll(api, jobs, objects, width)
    const seen = await arrivals.until(due, 30_000)
    arrivals.stop()
    const round = roundOf('own', arrivals.times, at, seen)
    say(`${width} at once: ${JSON.stringify(round)}`)
    if (best === null || round.lastMs < best.lastMs) best = round
    await pause(8000)
  }
  return best!
}

function roundOf(who: Round['who'], times: readonly number[], at: number, seen: number): Round {
  const late = times.map((time) => time - at).sort((a, b) => a - b)
  return {
    who,
    seen,
    firstMs: late[0] ?? Number.NaN,
    medianMs: late[Math.floor(late.length / 2)] ?? Number.NaN,
    lastMs: late.at(-1) ?? Number.NaN,
  }
}

if (values.help) process.stdout.write(help)
else {
  const plane = await startControlPlane({
    crds: [kronJobCrd],
    apiServerFlags: { 'max-requests-inflight': '3000', 'max-mutating-requests-inflight': '1000' },
    controllerManagerFlags: { controllers: [...controllers, 'cronjob-controller'].join(',') },
  })
  try {
    const { api } = await connectKube({ kubeconfig: plane.kubeconfigFile(), connections: 80 })
    const text = render(await measure(plane, api))
    process.stdout.write(text)
    if (values.readme) writeFileSync(new URL('README.md', import.meta.url), text)
    await api.close()
  } finally {
    await plane.stop()
  }
}
