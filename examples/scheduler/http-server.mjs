/**
 * A web server and a task in one process, and how both end: the server stops accepting requests,
 * running tasks end, then the process ends. A second Ctrl-C does not wait.
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
  // Loses its state with the process; with sqliteStorage('./tasks.db') missed runs would follow.
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
