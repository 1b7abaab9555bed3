import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { tzdataVersion } from '@kron/core'
import { systemClock } from '@kron/runtime'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type CommandRun, runCommand } from '../../../testing/kron-commands.js'
import { userFiles } from '../../process/user-files.js'
import { newSealingKeyText } from '../../secrets/index.js'
import { type Host, runKron } from '../index.js'

let folder: string
let data: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kron-serve-'))
  data = join(folder, 'data')
})
afterEach(() => rm(folder, { recursive: true }))

const serve = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runCommand(['serve', '--data', data, '--port', '0', ...args], Date.now, { env })

/** A start that fails says why in one line, what to do in the next, and leaves nothing open. */
async function expectFailure(
  { exitCode, stdout, stderr }: CommandRun,
  code: number,
  message: RegExp,
  hint: RegExp,
): Promise<void> {
  const [first, second, ...rest] = stderr.split('\n')
  expect(first).toMatch(message)
  expect(second).toMatch(hint)
  expect(rest).toEqual([''])
  expect([exitCode, stdout]).toEqual([code, ''])
  // The last one who closes an SQLite file takes its log away.
  const left = await readdir(data).catch(() => [])
  expect(left).not.toContain('kron.db-wal')
}

describe('kron serve that can not start', () => {
  it('says that nobody answers where PostgreSQL should be, and keeps the password', async () => {
    const run = await serve(['--database', 'postgres://kron:hidden@127.0.0.1:1/shop'])
    const message =
      /^kron: can't use the database postgres:\/\/kron@127\.0\.0\.1:1\/shop: .*ECONNREFUSED/
    await expectFailure(run, 4, message, /^hint: check that PostgreSQL runs, .*KRON_DATABASE/)
    expect(run.stderr).not.toContain('hidden')
  })

  it('says so for a name with several addresses too', async () => {
    const run = await serve([], { KRON_DATABASE: 'postgres://localhost:1/shop' })
    await expectFailure(
      run,
      4,
      /localhost:1\/shop: .*ECONNREFUSED/,
      /^hint: check that PostgreSQL runs/,
    )
  })

  it('says that the host of PostgreSQL is unknown', async () => {
    const run = await serve(['--database', 'postgres://nowhere.invalid/shop'])
    const message = /^kron: can't use the database postgres:\/\/nowhere\.invalid\/shop: .*nowhere/
    await expectFailure(run, 4, message, /^hint: check that PostgreSQL runs/)
  })

  it('says that a URL of PostgreSQL is none, and does not repeat it', async () => {
    const run = await serve(['--database', 'postgres://kron:hidden@[/shop'])
    await expectFailure(
      run,
      4,
      /^kron: can't use the database postgres:\/\/\.\.\.: /,
      /^hint: check/,
    )
    expect(run.stderr).not.toContain('hidden')
  })

  it('says that a folder is no database', async () => {
    const run = await serve(['--database', folder])
    const hint = /^hint: --database or KRON_DATABASE must name a place that this user may write to/
    await expectFailure(run, 4, /^kron: can't use the database .*: unable to open/, hint)
  })

  it('says that the folder of the database is not there', async () => {
    const run = await serve(['--database', join(folder, 'none', 'kron.db')])
    await expectFailure(run, 4, /^kron: can't use the database .*directory/, /^hint: --database/)
  })

  it('says that a file is no database', async () => {
    await mkdir(data)
    await writeFile(join(data, 'kron.db'), 'something else, and long enough to be looked at')
    const run = await serve([])
    await expectFailure(run, 4, /kron\.db: file is not a database/, /^hint: --data must name/)
  })

  it('says that the folder of the data can not be made', async () => {
    await writeFile(data, '')
    await expectFailure(
      await serve([]),
      4,
      /^kron: can't use the database .*EEXIST/,
      /^hint: --data/,
    )
  })

  it('says that others may read the sealing key', async () => {
    await mkdir(data)
    const file = join(data, 'secret.key')
    await writeFile(file, newSealingKeyText())
    await chmod(file, 0o644)
    const message = /^kron: the key file .*secret\.key must be readable by its owner only/
    await expectFailure(await serve([]), 4, message, /^hint: chmod 600 .*secret\.key/)
  })

  it('says that the sealing key is none, and does not repeat it', async () => {
    const run = await serve([], { KRON_SECRET_KEY: 'hidden' })
    await expectFailure(run, 4, /^kron: KRON_SECRET_KEY must hold 32 bytes/, /^hint: openssl rand/)
    expect(run.stderr).not.toContain('hidden')
  })

  it('says that an address to allow is none', async () => {
    const run = await serve([], { KRON_ALLOW: '10.0.0.0/8,example.com' })
    const message = /^kron: --allow or KRON_ALLOW: .*got "example\.com"/
    await expectFailure(run, 1, message, /^hint: such as 10\.20\.0\.0\/16/)
  })

  it('says that the address to listen on is not of this machine', async () => {
    const run = await serve(['--host', '192.0.2.1'])
    await expectFailure(run, 4, /^kron: can't listen on 192\.0\.2\.1, port 0: /, /^hint: --host/)
  })

  describe('because its port is taken', () => {
    let other: Server
    beforeEach(async () => {
      other = createServer()
      await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    })
    afterEach(() => new Promise((resolve) => other.close(resolve)))

    it('says so, makes no tenant, and closes the database', async () => {
      const { port } = other.address() as AddressInfo
      const run = await serve(['--port', String(port)])
      const message = new RegExp(
        `^kron: can't listen on 127\\.0\\.0\\.1, port ${port}: .*EADDRINUSE`,
      )
      await expectFailure(run, 4, message, /^hint: another process has this port/)
      expect((await started()).stdout).toContain('Created tenant "default"')
    })
  })
})

/** Starts for real, and stops as soon as it has said what it serves. */
async function started(...args: string[]): Promise<CommandRun> {
  return startedWith({}, ...args)
}

async function startedWith(
  env: Readonly<Record<string, string>>,
  ...args: string[]
): Promise<CommandRun> {
  const stop = new AbortController()
  const text = { stdout: '', stderr: '' }
  const output = (name: 'stdout' | 'stderr') => ({
    isTerminal: false,
    columns: 80,
    write(piece: string) {
      text[name] += piece
      if (name === 'stdout') stop.abort()
    },
  })
  const host: Host = {
    clock: systemClock(),
    env,
    home: folder,
    cwd: folder,
    writeFile: () => undefined,
    ...userFiles,
    readInput: async () => new Uint8Array(),
    stdout: output('stdout'),
    stderr: output('stderr'),
    interrupted: stop.signal,
  }
  const port = args.includes('--role') ? [] : ['--port', '0']
  const exitCode = await runKron(['serve', '--data', data, ...port, ...args], host)
  return { exitCode, ...text }
}

describe('kron serve', () => {
  const keyFile = () => join(folder, '.config/kron/key')
  const secretLines = [
    '  Requests are signed with this secret. Save it; it will not be shown again:',
    expect.stringMatching(/^ {2}whsec_[A-Za-z0-9+/]{43}=$/),
    '',
  ]
  const shownKey = expect.stringMatching(/^ {2}kron_[0-9a-z]{8}_[0-9a-z]{40}$/)

  it('says what it does, and puts the key of the first tenant where kron finds it', async () => {
    const first = await started()
    expect(first.exitCode).toBe(0)
    expect(first.stdout.split('\n')).toEqual([
      `kron serves api, worker, planner on ${data}/kron.db. Ctrl-C stops it.`,
      expect.stringMatching(/^ {2}API {3}http:\/\/127\.0\.0\.1:\d+\/api\/v1$/),
      expect.stringMatching(/^ {2}For kron in another terminal: export KRON_SERVER=http:\S+:\d+$/),
      '  Created tenant "default".',
      `  Its API key is in ${keyFile()}: kron finds it there, and cat shows it.`,
      ...secretLines,
    ])
    expect(await readFile(keyFile(), 'utf8')).toMatch(/^kron_[0-9a-z]{8}_[0-9a-z]{40}\n$/)
    expect((await stat(keyFile())).mode & 0o777).toBe(0o600)
    expect((await stat(dirname(keyFile()))).mode & 0o777).toBe(0o700)
    expect(await readdir(dirname(keyFile()))).toEqual(['key'])
    expect((await started()).stdout).not.toMatch(/tenant|kron_|whsec_/)
  })

  it('shows the key, and why, where another one is there already', async () => {
    await mkdir(dirname(keyFile()), { recursive: true })
    await writeFile(keyFile(), 'kron_other\n', { mode: 0o600 })
    const { stdout } = await started()
    expect(stdout.split('\n').slice(3)).toEqual([
      '  Created tenant "default".',
      '  Save its API key; it will not be shown again:',
      shownKey,
      `  kron does not find it by itself: ${keyFile()} was there already, and kron uses the key in it.`,
      '  To use it in another terminal: export KRON_KEY=<the key above>',
      ...secretLines,
    ])
    expect(await readFile(keyFile(), 'utf8')).toBe('kron_other\n')
  })

  it('shows the key, and why, where it can not be kept', async () => {
    await writeFile(join(folder, '.config'), 'no folder')
    const { exitCode, stdout } = await started()
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/\n {2}kron_[0-9a-z]{8}_\w{40}\n.*\/kron\/key can't be written: ENOTDIR/)
  })

  it('keeps the key in the file of KRON_KEY_FILE, and not where KRON_KEY wins', async () => {
    const named = join(folder, 'keys', 'local')
    expect((await startedWith({ KRON_KEY_FILE: named })).stdout).toContain(`key is in ${named}:`)
    expect(await readFile(named, 'utf8')).toMatch(/^kron_/)
    await rm(data, { recursive: true })
    const { stdout } = await startedWith({ KRON_KEY: 'kron_x' })
    expect(stdout).toContain('KRON_KEY is set, and kron uses the key that it holds')
    expect(existsSync(keyFile())).toBe(false)
  })

  it('only shows the key where others reach the server too', async () => {
    const { stdout } = await started('--host', '0.0.0.0')
    expect(stdout.split('\n').slice(2)).toEqual([
      '  Created tenant "default".',
      '  Save its API key; it will not be shown again:',
      shownKey,
      ...secretLines,
    ])
    expect(existsSync(keyFile())).toBe(false)
  })

  it('logs which version it is, and by which time zones it decides', async () => {
    const { stderr } = await started('--role', 'worker', '--format', 'json')
    const line = stderr.split('\n').find((text) => text.includes('"started"'))
    expect(JSON.parse(line!)).toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      tzdata: tzdataVersion,
    })
  })

  it('does not listen without the role api, unless it is given a port', async () => {
    const quiet = await started('--role', 'worker')
    expect(quiet.stdout).not.toContain('http')
    const heard = await started('--role', 'worker', '--port', '0')
    expect(heard.stdout).toMatch(/\n {2}Health and metrics {3}http:\/\/127\.0\.0\.1:\d+\n/)
  })
})
