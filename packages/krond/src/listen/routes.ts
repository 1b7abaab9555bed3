import { ConfigurationError, formatSchedule, quote } from '@kron/core'
import { explanationOf } from '@kron/preview'
import { type Clock, expositionType, type MetricRegistry } from '@kron/runtime'
import {
  errorReply,
  failureReply,
  jsonReply,
  type Listener,
  listen as listenOn,
  type Reply,
} from '@kron/runtime/listen'
import type { DaemonView, JobView } from '../daemon/daemon-view.js'
import { jobDocument, jobPage, wholeJobDocument } from './job-document.js'
import { badRequest, Query } from './query.js'

/** What a listener shows. */
export interface Shown {
  readonly view: DaemonView
  readonly metrics: Pick<MetricRegistry, 'expose'>
  readonly clock: Pick<Clock, 'now'>
  /** Whether the loop turned in the last two minutes. */
  readonly healthy: () => boolean
  /** Why the log is not written just now; null when it is. */
  readonly logTrouble: () => string | null
}

const defaultLimit = 100
const maxJobs = 1000

/** The answer to a GET of this target, such as `/jobs?limit=5`. Never throws. */
function answer(shown: Shown, target: string): Reply {
  try {
    const { path, query } = partsOf(target)
    return routeOf(path)?.(shown, query, path) ?? unknownPath()
  } catch (error) {
    return failureReply(error)
  }
}

type Route = (shown: Shown, query: string, path: readonly string[]) => Reply

const routes: Readonly<Record<string, Route>> = {
  '': (_, query) => {
    checkNone(query)
    return { status: 200, type: 'text/html; charset=utf-8', body: indexPage }
  },
  metrics: ({ metrics }) => ({ status: 200, type: expositionType, body: metrics.expose() }),
  healthz: ({ healthy, logTrouble }) => {
    const trouble = logTrouble()
    const isHealthy = healthy() && trouble === null
    const reason = trouble === null ? {} : { reason: `the log is not written: ${trouble}` }
    return jsonReply({ healthy: isHealthy, ...reason }, isHealthy ? 200 : 503)
  },
  readyz: ({ view }) => jsonReply({ ready: view.ready }, view.ready ? 200 : 503),
  jobs: listJobs,
}

function routeOf(path: readonly string[]): Route | undefined {
  const [first = '', , third] = path
  if (path.length === 1) return Object.hasOwn(routes, first) ? routes[first] : undefined
  if (first !== 'jobs' || path[1] === '') return undefined
  if (path.length === 2) return showJob
  return path.length === 3 && third === 'explain' ? explainJob : undefined
}

/** The segments of the path, decoded one by one: an identity has slashes of its own. */
function partsOf(target: string): { path: string[]; query: string } {
  const [path = '', ...rest] = target.split('?')
  if (!path.startsWith('/')) throw badRequest('path', 'the path must begin with /')
  try {
    const segments = path.slice(1).split('/').map(decodeURIComponent)
    return { path: segments, query: rest.join('?') }
  } catch {
    throw badRequest('path', 'the path has an escape that is not UTF-8')
  }
}

const unknownPath = (): Reply =>
  errorReply(404, 'KRON_REQUEST_INVALID', 'no such path; / lists those that there are')

const checkNone = (query: string): void => void new Query(query, [])

function listJobs({ view }: Shown, text: string): Reply {
  const query = new Query(text, ['limit', 'after', 'name'])
  const limit = query.count('limit', defaultLimit, maxJobs)
  const request = { limit, after: query.text('after'), name: query.text('name') }
  const { jobs, next } = jobPage(view, request)
  return jsonReply({ jobs: jobs.map(jobDocument), next })
}

function showJob({ view }: Shown, query: string, path: readonly string[]): Reply {
  checkNone(query)
  return jsonReply(wholeJobDocument(jobOf(view, path)))
}

function explainJob({ view, clock }: Shown, text: string, path: readonly string[]): Reply {
  const at = new Query(text, ['at']).instant('at', clock.now().getTime())
  const { hostJob, responsibleSince } = jobOf(view, path)
  const { job, name } = hostJob
  const nominal = job.currentPeriod(at)
  if (nominal === null) throw badRequest('at', 'the schedule has no period at or before that time')
  const named = { name, job, schedule: formatSchedule(job.spec), responsibleSince }
  return jsonReply(explanationOf(named, nominal, at))
}

function jobOf(view: DaemonView, [, wanted = '']: readonly string[]): JobView {
  const found = view.job(wanted)
  if (found !== undefined) return found
  const message = `no job, or more than one, has the identity or name ${quote(wanted)}`
  throw new ConfigurationError('KRON_JOB_UNKNOWN', message, { field: 'job', value: wanted })
}

/** Shows a running daemon over HTTP, read-only, at `host:port` or `unix:/path`. */
export const listen = (address: string, shown: Shown): Promise<Listener> =>
  listenOn(address, (target) => answer(shown, target))

/** What a browser shows at the address: a list of all that there is to see. */
const indexPage = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>krond</title></head>
<body>
<h1>krond</h1>
<ul>
<li><a href="/jobs">/jobs</a>: all jobs; <code>?limit=</code>, <code>?after=</code>,
<code>?name=</code></li>
<li><code>/jobs/&lt;name or encoded identity&gt;</code>: one job with its history</li>
<li><code>/jobs/&lt;name or encoded identity&gt;/explain?at=</code>: how its time is chosen</li>
<li><a href="/metrics">/metrics</a>: numbers for Prometheus</li>
<li><a href="/healthz">/healthz</a>: whether the loop turns</li>
<li><a href="/readyz">/readyz</a>: whether jobs are being handled</li>
</ul>
</body>
</html>
`
