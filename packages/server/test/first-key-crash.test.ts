import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { watch } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const program = fileURLToPath(new URL('../bin/kron.js', import.meta.url))
const keyPattern = /kron_[0-9a-z]{8}_[0-9a-z]{40}/

describe.skipIf(process.platform === 'win32')('a server that is killed at its first start', () => {
  let home: string
  let child: ChildProcess

  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'kron-killed-'))
    await mkdir(join(home, '.config/kron'), { recursive: true })
  })
  afterEach(async () => {
    await kill()
    await rm(home, { recursive: true })
  })

  function start(): ChildProcess {
    const words = [program, 'serve', '--port', '0', '--data', join(home, 'data')]
    const env = { PATH: process.env['PATH'], HOME: home }
    child = spawn(process.execPath, words, { env, cwd: home, stdio: ['ignore', 'pipe', 'ignore'] })
    return child
  }

  async function kill(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }

  /** All that it says at its start, and where it listens. */
  async function said(): Promise<{ readonly text: string; readonly url: string }> {
    let text = ''
    for await (const piece of start().stdout!.setEncoding('utf8')) {
      text += piece
      // All of it is written at once.
      const url = /API {3}(\S+)\/api\/v1\n/.exec(text)?.[1]
      if (url !== undefined) return { text, url }
    }
    throw new Error(`kron serve ended: ${text}`)
  }

  async function opens(url: string, key: string): Promise<boolean> {
    const headers = { authorization: `Bearer ${key}` }
    return (await fetch(`${url}/api/v1/tenant`, { headers })).ok
  }

  // The draft beside the file, the file itself, the draft that goes away: each a moment to die at.
  it.each([1, 2, 3, 4])('by event %i in the folder of keys, locks nobody out', async (fatal) => {
    const watcher = watch(join(home, '.config/kron'))
    let events = 0
    const killed = new Promise<void>((resolve) => {
      watcher.on('change', () => {
        if (++events === fatal) resolve(kill())
      })
    })
    start()
    await killed
    watcher.close()
    const { text, url } = await said()
    const shown = keyPattern.exec(text)?.[0]
    const kept = await readFile(join(home, '.config/kron/key'), 'utf8').catch(() => '')
    const works = await Promise.all([shown ?? '', kept.trim()].map((key) => opens(url, key)))
    expect(works).toContain(true)
    // A user who is shown a key needs it; a user who is shown none has it in the file.
    expect(works).toEqual([shown !== undefined, shown === undefined])
  })
})
