import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { changeTo, contents, tasks } from '../../testing/storage/stored-conformance.js'
import { sqliteStorage } from './sqlite-storage.js'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kron-storage-'))
  file = join(folder, 'tasks.db')
})
afterEach(() => rmSync(folder, { recursive: true }))

const resolver = `
import { registerHooks } from 'node:module'
registerHooks({
  resolve: (name, context, next) => {
    const isSource = /^\\.{1,2}\\//.test(name) && context.parentURL.includes('/scheduler/src/')
    return next(isSource ? name.replace(/js$/, 'ts') : name, context)
  },
})
`

/** Runs a module text in another process, with `storage` on the file. */
function spawnOnFile(text: string): ChildProcess {
  const source = new URL('./sqlite-storage.ts', import.meta.url).href
  const imports =
    `import { writeSync } from 'node:fs'\nimport { sqliteStorage } from '${source}'\n` +
    `const storage = sqliteStorage(${JSON.stringify(file)})\n`
  const words = [
    '--no-warnings',
    `--import=data:text/javascript,${encodeURIComponent(resolver)}`,
    '--input-type=module',
    `--eval=${imports}${text}`,
  ]
  return spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] })
}

async function textOf(child: ChildProcess, onText: (text: string) => void): Promise<string> {
  let text = ''
  for await (const chunk of child.stdout!) {
    text += chunk
    onText(text)
  }
  return text
}

const savingForever = `
await storage.open()
let records
await storage.change(({ schedulerId, tasks }) => {
  records = [...tasks]
  return { schedulerId, instanceId: 'child', watched: '', removed: [], added: [], replaced: [] }
})
for (let at = records[0].lastAttemptAt + 1; ; at++) {
  const changed = records.map((record) => ({ ...record, lastAttemptAt: at }))
  await storage.save('child', changed, String(at))
  writeSync(1, at + '\\n')
}
`

describe('the file of sqliteStorage between processes', () => {
  it('holds every save that was done when its process is killed, and none by halves', async () => {
    const storage = sqliteStorage(file)
    const added = tasks(0, 300).map((record) => ({ ...record, lastAttemptAt: 0 }))
    await storage.open()
    await storage.change(() => changeTo({ added }))
    await storage.close()
    let reported = 0
    for (let kill = 1; kill <= 20; kill++) {
      const child = spawnOnFile(savingForever)
      const exit = once(child, 'exit')
      const lines = (kill * 7) % 20
      const output = await textOf(child, (text) => {
        if (text.split('\n').length > lines + 1) child.kill('SIGKILL')
      })
      expect(await exit).toEqual([null, 'SIGKILL'])
      const last = Number(output.slice(0, output.lastIndexOf('\n')).split('\n').at(-1))
      expect(last).toBeGreaterThan(reported + lines)
      const check = new Sqlite(file)
      expect(check.pragma('integrity_check', { simple: true })).toBe('ok')
      check.close()
      await storage.open()
      const found = await contents(storage)
      await storage.close()
      const stored = found.tasks[0]!.lastAttemptAt!
      expect([last, last + 1]).toContain(stored)
      expect(found.watched).toBe(String(stored))
      expect(found.tasks).toEqual(added.map((record) => ({ ...record, lastAttemptAt: stored })))
      reported = stored
    }
  })

  it('is made once by processes that all find it missing', async () => {
    const opening = `
      await storage.open()
      await storage.change(({ schedulerId, watched }) => ({
        schedulerId: schedulerId ?? String(process.pid),
        instanceId: String(process.pid),
        watched: (watched ?? '') + '+',
        removed: [],
        added: [],
        replaced: [],
      }))
      await storage.close()
    `
    const children = Array.from({ length: 6 }, () => spawnOnFile(opening))
    const exits = await Promise.all(children.map((child) => once(child, 'exit')))
    expect(exits).toEqual(children.map(() => [0, null]))
    const storage = sqliteStorage(file)
    await storage.open()
    expect((await contents(storage)).watched).toBe('++++++')
    await storage.close()
  })
})
