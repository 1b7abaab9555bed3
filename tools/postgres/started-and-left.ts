/** Starts a server, prints its url, and waits to be killed. */
import { startEmbeddedPostgres } from './embedded-server.ts'

const { url } = await startEmbeddedPostgres({ durable: false })
process.stdout.write(`${url}\n`)
setInterval(() => {}, 60_000)
