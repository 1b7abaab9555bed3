/** A small web service to call: it answers, sometimes slowly or with an error. */
import { createServer } from 'node:http'

const answers = {
  '/heartbeat': { delayMs: 5, status: () => 200 },
  '/report': { delayMs: 120, status: () => 200 },
  // Every third call fails, as services do.
  '/flaky': { delayMs: 20, status: (calls) => (calls % 3 === 0 ? 503 : 200) },
  '/slow': { delayMs: 1_500, status: () => 200 },
}

export async function openEchoTarget() {
  const calls = new Map()
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://target')
    const count = (calls.get(pathname) ?? 0) + 1
    calls.set(pathname, count)
    const answer = answers[pathname] ?? { delayMs: 0, status: () => 404 }
    const run = request.headers['kron-run-id'] ?? null
    request.resume().on('end', () => {
      setTimeout(() => {
        response.writeHead(answer.status(count), { 'content-type': 'application/json' })
        response.end(JSON.stringify({ path: pathname, calls: count, run }))
      }, answer.delayMs)
    })
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `127.0.0.1:${server.address().port}`,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}
