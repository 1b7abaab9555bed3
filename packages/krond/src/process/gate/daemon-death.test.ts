import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, describe, expect, it } from 'vitest'
import { sourceOutput, spawnSource } from '../../../testing/process/source-process.js'
import { isProcessAlive, processIdentity } from '../process-identity.js'

const folder = mkdtempSync(join(tmpdir(), 'kron-death-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Starts a daemon, waits for its first line, a number, kills it, and awaits its end. */
async function pidOfKilled(text: string): Promise<{ pid: number; whileAlive: boolean }> {
  const child = spawnSource(text, { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout! })
  const pid = Number(await new Promise((resolve) => lines.once('line', resolve)))
  const identity = processIdentity(pid)
  const whileAlive = identity !== null && isProcessAlive(identity)
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await ended
  return { pid, whileAlive }
}

/** Turns of the event loop until the process is gone; the test's own limit ends it otherwise. */
async function untilGone(pid: number): Promise<void> {
  for (;;) {
    const identity = processIdentity(pid)
    if (identity === null || !isProcessAlive(identity)) return
    await new Promise((resolve) => setImmediate(resolve))
  }
}

describe('when the daemon is killed', () => {
  it('a gate that waits ends, having run nothing', async () => {
    const marker = join(folder, 'waiting')
    const { pid, whileAlive } = await pidOfKilled(`
      const gate = await processes.prepare(sampleStart(['touch', '${marker}']))
      console.log(gate.process.pid)
      setInterval(() => {}, 1000)`)
    expect(whileAlive).toBe(true)
    await untilGone(pid)
    expect(existsSync(marker)).toBe(false)
  })

  it('a job that was released goes on', async () => {
    const [fifo, marker] = [join(folder, 'fifo'), join(folder, 'released')]
    const script = `mkfifo '${fifo}'; read line <'${fifo}'; echo "$line" >'${marker}'`
    const { pid, whileAlive } = await pidOfKilled(`
      const start = sampleStart(['/bin/sh', '-c', ${JSON.stringify(script)}])
      const gate = await processes.prepare(start)
      await gate.release()
      console.log(gate.process.pid)
      setInterval(() => {}, 1000)`)
    expect(whileAlive).toBe(true)
    expect(isProcessAlive(processIdentity(pid)!)).toBe(true)
    const { output } = await sourceOutput(`
      import { existsSync, writeFileSync } from 'node:fs'
      while (!existsSync('${fifo}')) await new Promise((resolve) => setImmediate(resolve))
      writeFileSync('${fifo}', 'still here\\n')
      console.log('written')`)
    expect(output).toBe('written\n')
    await untilGone(pid)
    expect(readFileSync(marker, 'utf8')).toBe('still here\n')
  })
})

describe('a machine without resources', () => {
  it('refuses gates while descriptors are short, and loses none by it', async () => {
    const text = `
      import { readdirSync } from 'node:fs'
      const open = () => readdirSync('/proc/self/fd').length
      const start = sampleStart(['/bin/true'], { stdin: 'x' })
      async function run() {
        const gate = await processes.prepare(start)
        const { kind } = await gate.release()
        await gate.exited
        await new Promise((resolve) => setImmediate(resolve))
        return kind
      }
      await run()
      const before = open()
      const gates = []
      const failures = []
      while (failures.length < 20 && gates.length < 200) {
        await processes.prepare(start).then((gate) => gates.push(gate), (e) => failures.push(e))
      }
      const atLimit = gates.length
      for (const gate of gates) { gate.abandon(); await gate.exited }
      const release = await run()
      console.log(JSON.stringify({
        failures: [...new Set(failures.map((e) => e.category + ' ' + e.details.errno))],
        some: atLimit > 3 && atLimit < 200, release, lost: open() - before,
      }))`
    const launcher = ['/bin/sh', '-c', 'ulimit -n 60; exec "$@"', 'limited']
    const { output, errors } = await sourceOutput(text, {}, launcher)
    expect(errors).toBe('')
    expect(JSON.parse(output)).toEqual({
      failures: ['SystemError EMFILE'],
      some: true,
      release: 'running',
      lost: 0,
    })
  })
})
