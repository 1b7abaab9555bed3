import { type ChildProcess, spawn } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EndpointDocument } from '../src/cli/client/index.js'
import { KronCommands } from '../testing/kron-commands.js'
import { answered } from '../testing/sample-store.js'

const program = fileURLToPath(new URL('../bin/kron.js', import.meta.url))

const kron = new KronCommands()
let folder: string
let keyFile: string

beforeAll(async () => {
  await kron.start()
  folder = await mkdtemp(join(tmpdir(), 'kron-process-'))
  keyFile = join(folder, 'key')
  await writeFile(keyFile, `${kron.key}\n`, { mode: 0o600 })
})

afterAll(async () => {
  await kron.stop()
  await rm(folder, { recursive: true })
})

function start(...args: string[]): ChildProcess {
  const env = { PATH: process.env['PATH'], KRON_SERVER: kron.server.url, KRON_KEY_FILE: keyFile }
  return spawn(process.execPath, [program, ...args], { env, stdio: 'pipe' })
}

async function ended(
  child: ChildProcess,
): Promise<{ code: number | null; out: string; err: string }> {
  const text = { out: '', err: '' }
  child.stdout!.setEncoding('utf8').on('data', (piece) => {
    text.out += piece
  })
  child.stderr!.setEncoding('utf8').on('data', (piece) => {
    text.err += piece
  })
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, ...text }
}

describe('kron as a process', () => {
  it('asks a server with the key of a file, and ends', async () => {
    expect(await ended(start('jobs', 'create', 'nightly', '--format', 'json'))).toEqual({
      code: 0,
      out: expect.stringContaining('"name": "nightly"'),
      err: '',
    })
  })

  it('takes no key from a file that others may read', async () => {
    await chmod(keyFile, 0o640)
    const { code, err } = await ended(start('jobs'))
    await chmod(keyFile, 0o600)
    expect([code, err]).toEqual([1, expect.stringContaining('others may read the API key')])
  })

  it('reads a secret from standard input', async () => {
    const child = start('secrets', 'put', 'billing', '--value', '-')
    child.stdin!.end(`whsec_${Buffer.alloc(24, 1).toString('base64')}\n`)
    expect(await ended(child)).toMatchObject({ code: 0, err: '' })
  })

  it('follows runs until Ctrl-C, and that is a success', async () => {
    const create = [
      'endpoints',
      'create',
      'sync',
      '--job',
      'nightly',
      '--url',
      'https://example.com/',
    ]
    const { id } = await kron.json<EndpointDocument>(...create, '--every', '5m')
    await kron.sample.run({ id, tenantId: kron.tenantId }, answered(200))
    const child = start('runs', '--follow')
    child.stdout!.once('data', () => child.kill('SIGINT'))
    const { code, out, err } = await ended(child)
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain('success')
  })

  it('ends quietly when nobody reads on', async () => {
    const child = start('--help')
    child.stdout!.destroy()
    expect(await ended(child)).toMatchObject({ code: 0, err: '' })
  })
})
