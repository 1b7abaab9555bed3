/**
 * What `npm start` runs: a whole server on an embedded database, a service for it to call, and
 * what happens, line by line, until Ctrl-C.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startServer } from '../../packages/server/dist/index.js'
import { apiOf } from './api.mjs'
import { openEchoTarget } from './echo-target.mjs'

const { values } = parseArgs({
  options: { port: { type: 'string', default: '7077' }, runs: { type: 'string' } },
})
/** The demonstration ends after this number of runs; by default it goes on until Ctrl-C. */
const maxRuns = Number(values.runs ?? Number.POSITIVE_INFINITY)

const isColoured = process.stdout.isTTY && !process.env['NO_COLOR']
const paint = (code, text) => (isColoured ? `\u001b[${code}m${text}\u001b[0m` : text)
const say = (...lines) => process.stdout.write(`${lines.join('\n')}\n`)

const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stopping.abort())

const folder = await mkdtemp(join(tmpdir(), 'kron-demo-'))
const target = await openEchoTarget()
const service = await start(Number(values.port))
const key = service.created.key
const api = apiOf(service.url, key)

const endpoints = [
  { name: 'heartbeat', path: '/heartbeat', intervalMs: 2_000, planner: 'on' },
  { name: 'flaky', path: '/flaky', intervalMs: 3_000, planner: 'on' },
  { name: 'slow', path: '/slow', intervalMs: 5_000, planner: 'on' },
  {
    name: 'report',
    path: '/report',
    cron: '* * * * * @win(after,20s)',
    timezone: 'Europe/Paris',
    planner: 'on',
  },
]

try {
  const names = await furnish()
  welcome(names)
  await follow(names)
} catch (error) {
  if (!stopping.signal.aborted) {
    process.exitCode = 1
    say(`The demonstration failed: ${error.message}`)
  }
} finally {
  say('', 'Stopping. Runs under way end first.')
  await service.stop()
  await target.close()
  await rm(folder, { recursive: true, force: true })
  say('Stopped.')
}

/** On the default port; when another program has that port, on any free one. */
async function start(port) {
  const allow = [target.address]
  try {
    return await startServer({ data: folder, port, allow, graceMs: 5_000, log: { level: 'warn' } })
  } catch (error) {
    if (error.code !== 'EADDRINUSE') throw error
    return start(0)
  }
}

async function furnish() {
  const job = await api.post('/jobs', { name: 'Demonstration' })
  const names = new Map()
  for (const { path, ...definition } of endpoints) {
    const url = `http://${target.address}${path}`
    const { id } = await api.post(`/jobs/${job.id}/endpoints`, { ...definition, url })
    names.set(id, definition.name)
  }
  return names
}

function welcome(names) {
  say(
    paint(1, 'Kron is running, with an embedded database.'),
    '',
    `  API        ${service.url}/api/v1`,
    `  Document   ${service.url}/api/v1/openapi.json`,
    `  Metrics    ${service.url}/metrics`,
    `  Key        ${key}`,
    '',
    `It calls ${names.size} endpoints of a small service at http://${target.address}. In another terminal:`,
    '',
    paint(36, `  export KRON_SERVER=${service.url} KRON_KEY=${key}`),
    paint(36, '  export PATH="$PWD/node_modules/.bin:$PATH"'),
    paint(36, '  kron endpoints'),
    paint(36, '  kron runs'),
    paint(36, '  kron run-now report'),
    '',
    'Runs as they end (Ctrl-C stops):',
    '',
    paint(2, 'ended         endpoint    status    HTTP  took      late    because'),
  )
}

async function follow(names) {
  let seen = 0
  for await (const { type, subject } of api.events(stopping.signal)) {
    if (type !== 'run.ended') continue
    const run = await api.get(`/runs/${subject}`)
    say(lineOf(run, names.get(run.endpointId) ?? run.endpointId))
    if (++seen >= maxRuns) return
  }
}

function lineOf({ endedAt, startedAt, scheduledFor, status, response, source, context }, name) {
  const late = Date.parse(startedAt ?? endedAt) - Date.parse(scheduledFor)
  const took = Date.parse(endedAt) - Date.parse(startedAt ?? endedAt)
  const painted = paint(status === 'success' ? 32 : 31, status.padEnd(9))
  const http = String(response?.httpStatus ?? '-').padEnd(5)
  const times = `${`${took} ms`.padEnd(9)} ${`${late} ms`.padEnd(7)}`
  return `${endedAt.slice(11, 23).padEnd(13)} ${name.padEnd(11)} ${painted} ${http} ${times} ${because(source, context)}`
}

/** With who gave the hint, where one moved the run. */
function because(source, { intervalHint, oneShotHint }) {
  const hint =
    source === 'ai-interval' ? intervalHint : source === 'ai-oneshot' ? oneShotHint : null
  return hint === null ? source : `${source} (${hint.giver})`
}
