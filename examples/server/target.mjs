/**
 * A target for `kron`: it accepts only requests that Kron has signed, handles each run once, and its
 * answer says when Kron shall call again.
 *
 *   SECRET=whsec_... node target.mjs [port]
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const secret = process.env['SECRET'] ?? ''
if (!secret.startsWith('whsec_')) {
  console.error('SECRET must hold the signing secret whsec_... that `kron serve` showed')
  process.exit(1)
}

const toleranceSeconds = 300
const maxBytes = 64 * 1024

/** Whether the headers sign these bytes: Standard Webhooks, HMAC-SHA256 over id, time and body. */
function isFromKron(headers, body) {
  const id = headers['webhook-id'] ?? ''
  const time = headers['webhook-timestamp'] ?? ''
  // Dots separate the signed parts: with a dot in the id, a part of the body could pass as the id.
  if (id === '' || id.includes('.') || !/^\d+$/.test(time)) return false
  if (Math.abs(Date.now() / 1000 - Number(time)) > toleranceSeconds) return false
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const mac = createHmac('sha256', key).update(`${id}.${time}.`).update(body).digest('base64')
  const expected = Buffer.from(`v1,${mac}`)
  // There are several signatures while a secret is rotated.
  return String(headers['webhook-signature'])
    .split(' ')
    .some((each) => {
      const given = Buffer.from(each)
      return given.length === expected.length && timingSafeEqual(given, expected)
    })
}

/** Ids of handled runs. A real target keeps them beside its data. */
const done = new Set()
let waiting = 3

/** The work: three items wait, and each run takes one. */
function work(runId) {
  if (done.has(runId)) return { repeated: true, waiting }
  done.add(runId)
  waiting = Math.max(0, waiting - 1)
  return { repeated: false, waiting }
}

/** The bytes of a request, or null when there are too many. */
async function bodyOf(request) {
  const pieces = []
  let bytes = 0
  for await (const piece of request) {
    bytes += piece.length
    if (bytes > maxBytes) return null
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

const server = createServer(async (request, response) => {
  const body = await bodyOf(request)
  if (body === null) return response.writeHead(413).end()
  if (!isFromKron(request.headers, body)) return response.writeHead(401).end('not signed by Kron')
  const result = work(request.headers['webhook-id'])
  // While items wait, call every 10 seconds; the hint expires automatically.
  if (result.waiting > 0) response.setHeader('kron-interval', '10s; ttl=5m')
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(result))
})

server.listen(Number(process.argv[2] ?? 8099), '127.0.0.1', () => {
  console.log(`The target listens on http://127.0.0.1:${server.address().port}. Ctrl-C stops it.`)
})
