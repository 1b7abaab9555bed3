/** What a program does with @kron/server: it starts a server, asks it, and stops it. */
import { startServer } from '@kron/server'
import { createWebhookSecret, verify, webhookHeaders } from '@kron/server/webhook'

const server = await startServer({ data: 'smoke-data', port: 0, log: { level: 'error' } })
const { status } = await fetch(`${server.url}/healthz`)
const secret = createWebhookSecret()
const headers = webhookHeaders([secret], 'run_7', Math.floor(Date.now() / 1000), '{}')
const { valid } = verify([secret], headers, '{}')
await server.stop()
console.log(status, server.created.name, valid)
