/**
 * A web server with a task beside it, and how both end: the door closes first, then tasks that run
 * may end, then the process does. A second Ctrl-C does not wait.
 *
 *   node http-server.mjs [port]
 */
import { createServer } from 'node:http'
import { createScheduler, Duration, memoryStorage } from '@kron/scheduler'

let visits = 0
const reports = []

const server = createServer((_, response) => {
  visits++
  response.end(`${visits} visits, ${reports.length} reports\n`)
})

const scheduler = createScheduler({
  // Forgets with the process; sqliteStorage('./tasks.db') would make up for what was missed.
  storage: memoryStorage(),
  onEvent: ({ type, ...details }) => console.log(type, JSON.stringify(details)),
})

async function count() {
  reports.push(visits)
}

async function stop() {
  console.log('stopping')
  const closed = new Promise((resolve) => server.close(resolve))
  await scheduler.stop()
  await closed
  console.log('stopped')
}

await scheduler.initialize([['count', '* * * * *', count, Duration.seconds(10)]])
// `once`: the second signal ends the process as it always does.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, stop)
server.listen(Number(process.argv[2] ?? 8080), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}. Ctrl-C stops it.`)
})
