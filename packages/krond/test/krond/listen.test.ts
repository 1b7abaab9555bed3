import { request } from 'node:http'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { KrondHome } from './krond-home.js'

let home: KrondHome
beforeEach(() => {
  home = new KrondHome()
})
afterEach(() => home.remove())

async function get(socketPath: string, path: string): Promise<{ status: number; body: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: string }>()
  request({ socketPath, path, headers: { host: 'localhost' } }, (response) => {
    let body = ''
    response.setEncoding('utf8')
    response.on('data', (text: string) => {
      body += text
    })
    response.on('end', () => resolve({ status: response.statusCode!, body }))
  })
    .on('error', reject)
    .end()
  return promise
}

describe('krond start --listen', () => {
  it('shows health, jobs and metrics on a Unix socket', async () => {
    home.jobs(home.waiting('a'))
    const socket = join(home.folder, 'krond.sock')
    const daemon = home.start('--listen', `unix:${socket}`)
    const { pid, period_id } = await daemon.event('started')
    await daemon.event('listening')
    expect(await get(socket, '/healthz')).toEqual({
      status: 200,
      body: expect.stringMatching(/true/),
    })
    expect(await get(socket, '/readyz')).toEqual({
      status: 200,
      body: expect.stringMatching(/true/),
    })
    const { jobs } = JSON.parse((await get(socket, '/jobs')).body) as { jobs: object[] }
    expect(jobs).toMatchObject([{ name: 'a' }])
    expect(JSON.stringify(jobs)).toContain(String(pid))
    expect(JSON.stringify(jobs)).toContain(String(period_id))
    const metrics = await get(socket, '/metrics')
    expect(metrics.body).toMatch(/^krond_periods_total\{outcome="executed"\} 1$/m)
    expect(metrics.body).toMatch(/^krond_executions_running 1$/m)
    expect(metrics.body).toMatch(/^process_cpu_seconds_total \d/m)
    expect(metrics.body).toMatch(/^nodejs_version_info\{version="v\d/m)
    expect((await get(socket, '/nothing')).status).toBe(404)
    daemon.kill('SIGTERM')
    await daemon.event('stop')
    expect((await get(socket, '/healthz')).status).toBe(200)
    expect((await get(socket, '/readyz')).status).toBe(503)
    home.finish('a')
    expect(await daemon.ended).toBe(0)
    await expect(get(socket, '/healthz')).rejects.toThrow()
  })

  it('ends with an error when the address can not be had', async () => {
    home.jobs(home.waiting('a'))
    const daemon = home.start('--listen', 'unix:/no/such/folder/krond.sock')
    expect(await daemon.ended).not.toBe(0)
    expect(daemon.events('error')).toMatchObject([{ operation: 'start', level: 'error' }])
    expect(daemon.events('started')).toEqual([])
  })
})
