import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startQuietService } from '../../testing/start/quiet-service.js'
import type { Service } from './service.js'

describe('a service that stops', () => {
  let folder: string
  let service: Service
  let key: string

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kron-stopping-'))
    service = await startQuietService(folder, { roles: ['api'], graceMs: 3_600_000 })
    key = service.created!.text
  })
  afterEach(async () => {
    await service.stop()
    await rm(folder, { recursive: true })
  })

  it('answers a request that has begun to arrive before it closes the database', async () => {
    const body = JSON.stringify({ name: 'nightly' })
    const socket = connect(Number(new URL(service.url!).port), '127.0.0.1')
    const head = [
      'POST /api/v1/jobs HTTP/1.1',
      'host: localhost',
      `authorization: Bearer ${key}`,
      'content-type: application/json',
      `content-length: ${body.length}`,
      'expect: 100-continue',
      'connection: close',
    ]
    socket.write(`${head.join('\r\n')}\r\n\r\n`)
    const [ready] = await once(socket, 'data')
    expect(String(ready)).toContain('100 Continue')
    const stopped = service.stop()
    socket.write(body)
    let answer = ''
    for await (const piece of socket) answer += piece
    expect(answer).toContain('HTTP/1.1 201 ')
    await stopped
  })

  it('ends streams of events at once, however patient it is with others', async () => {
    const headers = { authorization: `Bearer ${key}` }
    const response = await fetch(`${service.url}/api/v1/events`, { headers })
    expect(response.status).toBe(200)
    await service.stop()
    expect(await response.text()).toBe(': connected\n\n')
  })
})
