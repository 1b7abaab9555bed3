import { chown, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Host } from '../../process/host.js'
import { userFiles } from '../../process/user-files.js'
import { isLoopback, keyKeeperOf } from './kept-key.js'

describe('where only this machine listens', () => {
  it.each(['127.0.0.1', '127.1.2.3', '::1', '[::1]', 'localhost', 'LOCALHOST'])('%s', (host) => {
    expect(isLoopback(host)).toBe(true)
  })

  it.each(['0.0.0.0', '::', '10.0.0.1', '192.0.2.1', 'kron.example.com', '', '::ffff:127.0.0.1'])(
    'not %j',
    (host) => {
      expect(isLoopback(host)).toBe(false)
    },
  )
})

describe('the key of a user', () => {
  let home: string
  let path: string
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'kron-kept-'))
    path = join(home, '.config/kron/key')
  })
  afterEach(() => rm(home, { recursive: true }))

  const keeper = (env: Host['env'] = {}) => keyKeeperOf({ ...userFiles, env, home } as Host)

  it('is kept in the folder of XDG_CONFIG_HOME where that is set', async () => {
    const folder = join(home, 'settings')
    const kept = await keeper({ XDG_CONFIG_HOME: folder }).keep('kron_a')
    expect(kept).toEqual({ path: join(folder, 'kron/key') })
    expect(await readdir(join(folder, 'kron'))).toEqual(['key'])
  })

  it('is not replaced, whatever holds its place', async () => {
    expect(await keeper().keep('kron_a')).toEqual({ path })
    expect(await keeper().keep('kron_b')).toMatchObject({ path: null })
    await writeFile(path, '')
    expect(await keeper().keep('kron_b')).toMatchObject({ path: null })
    expect(await readFile(path, 'utf8')).toBe('')
    expect(await readdir(join(home, '.config/kron'))).toEqual(['key'])
  })

  it('is taken back, and no other in its place', async () => {
    await keeper().keep('kron_a')
    await keeper().forget('kron_b')
    expect(await readFile(path, 'utf8')).toBe('kron_a\n')
    await keeper().forget('kron_a')
    await keeper().forget('kron_a')
    expect(await readdir(join(home, '.config/kron'))).toEqual([])
  })

  it('is not kept where the disk is full', async () => {
    const full = () => Promise.reject(new Error('ENOSPC: no space left on device'))
    const host = { ...userFiles, createFile: full, env: {}, home } as unknown as Host
    expect(await keyKeeperOf(host).keep('kron_a')).toEqual({
      path: null,
      why: `${path} can't be written: ENOSPC: no space left on device`,
    })
  })

  const isRoot = process.getuid?.() === 0
  it.runIf(isRoot)('is not left by root in the home of somebody else', async () => {
    await chown(home, 1000, 1000)
    expect(await keeper().keep('kron_a')).toEqual({
      path: null,
      why: expect.stringContaining('root does not write into the folder of another user'),
    })
    expect(await readdir(home)).toEqual([])
    await mkdir(join(home, '.config'))
    expect(await keeper().keep('kron_a')).toEqual({ path })
  })
})
