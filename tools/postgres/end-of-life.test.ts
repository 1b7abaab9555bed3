import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, it, vi } from 'vitest'
import { startEmbeddedPostgres } from './embedded-server.ts'
import { connected, dataFolderOf, endOf, isAlive, processesOf } from './observation.ts'

const waiting = { timeout: 30_000, interval: 20 }

it('leaves no process and no file when it is stopped, also after a kill', async () => {
  for (const isKilled of [false, true]) {
    const server = await startEmbeddedPostgres({ durable: false })
    const folder = dirname(await dataFolderOf(server.url))
    const processes = await processesOf(server.url)
    expect(processes.filter(isAlive).length).toBeGreaterThan(1)
    if (isKilled) await server.kill()
    await Promise.all([server.stop(), server.stop()])
    expect(processes.filter(isAlive)).toEqual([])
    expect(existsSync(folder)).toBe(false)
    await expect(server.restart()).rejects.toThrow('was stopped')
  }
})

it('shows the log of a server that does not start', async () => {
  const starting = startEmbeddedPostgres({ settings: { shared_buffers: 'plenty' } })
  await expect(starting).rejects.toThrow(/did not start:\n.*"shared_buffers": "plenty"/)
})

it('does not outlive a process that is killed', async () => {
  const script = fileURLToPath(new URL('started-and-left.ts', import.meta.url))
  const parent = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [url] = (await once(createInterface({ input: parent.stdout }), 'line')) as [string]
  const folder = dirname(await dataFolderOf(url))
  const processes = await processesOf(url)
  const client = await connected(url)
  const ended = endOf(client)
  parent.kill('SIGKILL')
  await ended
  await vi.waitFor(() => expect(existsSync(folder)).toBe(false), waiting)
  expect(processes.filter(isAlive)).toEqual([])
})
