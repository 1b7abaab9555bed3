/**
 * Sets up a job with its endpoints over the API. You may run it as often as you like: it changes
 * existing endpoints, creates missing ones, and deletes nothing.
 *
 *   node set-up.mjs http://127.0.0.1:8099
 */
import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

const target = process.argv[2] ?? 'http://127.0.0.1:8099'
const server = process.env['KRON_SERVER'] ?? 'http://127.0.0.1:7077'
const config = process.env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config')
const keyFile = process.env['KRON_KEY_FILE'] ?? join(config, 'kron', 'key')
const key = process.env['KRON_KEY'] ?? readFileSync(keyFile, 'utf8').trim()

const job = 'stock'
const endpoints = [
  {
    name: 'drain',
    url: `${target}/drain`,
    method: 'POST',
    body: { kind: 'json', content: '{"run":"{{runId}}"}' },
    intervalMs: 5 * 60_000,
    // The target's answer may say when it is called again, but not more often than this.
    steering: true,
    minIntervalMs: 5_000,
    retry: { attempts: 3 },
  },
  {
    name: 'report',
    url: `${target}/report`,
    method: 'POST',
    // At one time between 3 and 5 in Paris, the same every day.
    cron: '0 3 * * * @win(after,2h)',
    timezone: 'Europe/Paris',
  },
]

async function call(method, path, body) {
  const response = await fetch(`${server}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const answer = await response.json()
  if (response.ok) return answer
  const fields = (answer.errors ?? []).map(({ message }) => message).join('; ')
  throw new Error(`${method} ${path}: ${fields || answer.detail} [${answer.code}]`)
}

/** All items of a list, page after page. */
async function* listed(path) {
  for (let cursor = ''; cursor !== null; ) {
    const page = await call('GET', `${path}?limit=200${cursor && `&cursor=${cursor}`}`)
    yield* page.items
    cursor = page.nextCursor
  }
}

async function named(path, name) {
  for await (const item of listed(path)) if (item.name === name) return item
  return null
}

const { id: jobId } = (await named('/jobs', job)) ?? (await call('POST', '/jobs', { name: job }))
for (const { name, ...wanted } of endpoints) {
  const found = await named(`/jobs/${jobId}/endpoints`, name)
  const endpoint = found
    ? await call('PATCH', `/endpoints/${found.id}`, wanted)
    : await call('POST', `/jobs/${jobId}/endpoints`, { name, ...wanted })
  const did = found ? 'updated' : 'created'
  console.log(`${did} ${job}/${name} (${endpoint.id}), next run ${endpoint.nextRunAt}`)
}
