import { existsSync, lstatSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SystemError } from '@kron/core'
import type { Listener } from '@kron/runtime/listen'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { shown } from '../../testing/listen/example-view.js'
import { ask } from '../../testing/listen/http-client.js'
import { listen } from './routes.js'

let folder = ''
const open: Listener[] = []

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'kron-listen-'))
})
afterEach(async () => {
  for (const listener of open.splice(0)) await listener.close()
})
afterAll(() => rmSync(folder, { recursive: true }))

async function listening(address = '127.0.0.1:0', what = shown): Promise<Listener> {
  const listener = await listen(address, what)
  open.push(listener)
  return listener
}

describe('a Unix socket', () => {
  it('is for its owner alone, and gone after the end', async () => {
    const path = join(folder, 'own.sock')
    const listener = await listening(`unix:${path}`)
    expect(listener.address).toBe(`unix:${path}`)
    expect(lstatSync(path).mode & 0o777).toBe(0o600)
    const { status } = await ask(listener, '/jobs', { headers: { host: 'anything' } })
    expect(status).toBe(200)
    await listener.close()
    expect(existsSync(path)).toBe(false)
  })

  it('does not change what other files are born with', async () => {
    const before = process.umask()
    await listening(`unix:${join(folder, 'mask.sock')}`)
    expect(process.umask()).toBe(before)
  })

  it('is taken over when nobody answers on it any more', async () => {
    const path = join(folder, 'stale.sock')
    const former = createServer()
    await new Promise<void>((resolve) => former.listen(path, resolve))
    const kept = join(folder, 'kept.sock')
    renameSync(path, kept)
    await new Promise((resolve) => former.close(resolve))
    expect(lstatSync(kept).isSocket()).toBe(true)
    const listener = await listening(`unix:${kept}`)
    expect((await ask(listener, '/readyz')).status).toBe(200)
  })

  it('is left alone when somebody answers, or when it is no socket', async () => {
    const path = join(folder, 'busy.sock')
    const first = await listening(`unix:${path}`)
    await expect(listen(`unix:${path}`, shown)).rejects.toThrow(/somebody listens on it/)
    expect((await ask(first, '/readyz')).status).toBe(200)
    const file = join(folder, 'file')
    writeFileSync(file, 'precious')
    await expect(listen(`unix:${file}`, shown)).rejects.toThrow(/is not a socket/)
    expect(existsSync(file)).toBe(true)
  })

  it('must be in a folder that exists', async () => {
    const failure = listen(`unix:${folder}/absent/x.sock`, shown)
    await expect(failure).rejects.toThrow(SystemError)
  })
})
