import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runToEnd, sampleStart } from '../../../testing/process/sample-start.js'
import { spawnSource } from '../../../testing/process/source-process.js'
import { until } from '../../../testing/process/until.js'
import { isProcessAlive, processIdentity } from '../process-identity.js'
import { type SystemProcesses, systemProcesses } from '../system-processes.js'

const period = { nominal: Date.UTC(2026, 2, 1), chosen: Date.UTC(2026, 2, 1) }
const isRoot = process.getuid?.() === 0

let folder = ''
let opened: SystemProcesses[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kron-lasting-'))
  chmodSync(folder, 0o755)
})
afterEach(async () => {
  for (const { output } of opened) await output!.close()
  opened = []
  rmSync(folder, { recursive: true })
})

const outputFolder = (): string => join(folder, 'output')
const files = (ending: string): string[] =>
  readdirSync(outputFolder()).filter((name) => name.endsWith(ending))
const spools = (): string[] => files('.spool')

async function openProcesses(): Promise<SystemProcesses> {
  const processes = systemProcesses({ outputFolder: outputFolder() })
  await processes.output!.open()
  opened.push(processes)
  return processes
}

/**
 * A job that writes a line for each file that appears: `step.1`, `step.2`, ... It ends by itself some
 * time after a test that was killed.
 */
const stepping = (last: number): readonly [string, string, string] => [
  '/bin/sh',
  '-c',
  `for n in $(seq ${last}); do
     for look in $(seq 30000); do [ -e '${folder}'/step.$n ] && break; sleep 0.01; done
     echo "said $n"; echo "erred $n" >&2; touch '${folder}'/done.$n
   done`,
]

async function step(n: number): Promise<void> {
  writeFileSync(join(folder, `step.${n}`), '')
  await until(() => existsSync(join(folder, `done.${n}`)))
}

/** Has a daemon start a job, kills that one without a word, and answers the process of the job. */
async function leftByKilled(command: readonly string[]): Promise<number> {
  const child = spawnSource(
    `
    const lasting = systemProcesses({ outputFolder: ${JSON.stringify(outputFolder())} })
    await lasting.output.open()
    const request = { period: ${JSON.stringify(period)} }
    const gate = await lasting.prepare(sampleStart(${JSON.stringify(command)}, {}, request))
    await gate.release()
    console.log(gate.process.pid)
    setInterval(() => {}, 1000)`,
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const lines = createInterface({ input: child.stdout! })
  const pid = Number(await new Promise((resolve) => lines.once('line', resolve)))
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await ended
  return pid
}

const isAlive = (pid: number): boolean => {
  const identity = processIdentity(pid)
  return identity !== null && isProcessAlive(identity)
}

describe('the output of a job whose daemon is killed', () => {
  it('is there for the next one, line by line and whole, and the job runs to its end', async () => {
    const pid = await leftByKilled(stepping(4))
    await step(1)
    await step(2)
    const processes = await openProcesses()
    const lines: string[] = []
    const { identity } = sampleStart(['true'])
    const owner = { identity, nominal: period.nominal }
    const drained = processes.resumeOutput(owner, (stream, line) => {
      lines.push(`${stream} ${line}`)
    })
    processes.output!.discardRest()
    await step(3)
    expect(isAlive(pid)).toBe(true)
    await step(4)
    await until(() => !isAlive(pid))
    await drained()
    const said = (stream: string, verb: string): string[] =>
      [1, 2, 3, 4].map((n) => `${stream} ${verb} ${n}`)
    expect(lines.filter((line) => line.startsWith('stdout'))).toEqual(said('stdout', 'said'))
    expect(lines.filter((line) => line.startsWith('stderr'))).toEqual(said('stderr', 'erred'))
    expect(spools()).toEqual([])
  })

  it('is there also when the job has ended meanwhile', async () => {
    const pid = await leftByKilled(stepping(1))
    // The guard has its pipes open before it makes the files.
    await until(() => spools().length === 2)
    await step(1)
    await until(() => !isAlive(pid))
    const textOf = (spool: string): string => readFileSync(join(outputFolder(), spool), 'utf8')
    await until(() => spools().every((spool) => textOf(spool) !== ''))
    for (const spool of spools()) expect(statSync(join(outputFolder(), spool)).mode & 0o077).toBe(0)
    const processes = await openProcesses()
    const lines: string[] = []
    const owner = { identity: sampleStart(['true']).identity, nominal: period.nominal }
    await processes.resumeOutput(owner, (_, line) => void lines.push(line))()
    expect(lines.sort()).toEqual(['erred 1', 'said 1'])
    // Its pipes are free again, and serve the next one.
    await until(() => readFileSync(join(outputFolder(), 'owners'), 'utf8').trim() === '')
    const start = sampleStart(['/bin/sh', '-c', 'echo next'], {}, { period })
    expect((await runToEnd(processes, start)).stdout).toEqual(['next'])
    expect(files('.pipe')).toHaveLength(2)
  })

  it('does not stop a job that writes more than a pipe holds', async () => {
    const enough = join(folder, 'enough')
    const text = `yes | head -c 1000000; touch '${enough}'; sleep 1000`
    const pid = await leftByKilled(['/bin/sh', '-c', text])
    await until(() => existsSync(enough))
    process.kill(-pid, 'SIGKILL')
  })

  it('is thrown away where no job wants it, and holds up nobody', async () => {
    const pid = await leftByKilled(stepping(2))
    await step(1)
    const processes = await openProcesses()
    processes.output!.discardRest()
    await step(2)
    await until(() => !isAlive(pid))
    expect(spools()).toEqual([])
  })
})

describe('the output of a job', () => {
  it('leaves a pair of pipes for the next one, and no guard when the daemon ends', async () => {
    const processes = await openProcesses()
    const start = sampleStart(['/bin/sh', '-c', 'echo a; echo b >&2'], {}, { period })
    for (let run = 0; run < 3; run++) {
      const { stdout, stderr } = await runToEnd(processes, start)
      expect([stdout, stderr]).toEqual([['a'], ['b']])
    }
    expect(files('').sort()).toEqual(['0.stderr.pipe', '0.stdout.pipe', 'guard', 'owners'])
    const { pid } = JSON.parse(readFileSync(join(outputFolder(), 'guard'), 'utf8'))
    expect(isAlive(pid)).toBe(true)
    await processes.output!.close()
    expect(isAlive(pid)).toBe(false)
  })

  it('has pipes of its own as long as anything holds those of another open', async () => {
    const processes = await openProcesses()
    const pidFile = join(folder, 'left-behind')
    const leaving = `(sleep 1000; echo late) & echo $! >${pidFile}; exit 0`
    const left = runToEnd(processes, sampleStart(['/bin/sh', '-c', leaving], {}, { period }))
    const start = sampleStart(['/bin/sh', '-c', 'echo mine'], {}, { period })
    await left
    expect((await runToEnd(processes, start)).stdout).toEqual(['mine'])
    expect(files('.pipe')).toHaveLength(4)
    process.kill(Number(readFileSync(pidFile, 'utf8')), 'SIGKILL')
  })

  it.runIf(isRoot)('can be opened by its name, also by another user', async () => {
    const processes = await openProcesses()
    const account = { name: 'games', uid: 5, gid: 60, groups: [60], home: '/' }
    const text = 'echo named >/dev/stdout'
    const start = sampleStart(['/bin/sh', '-c', text], { account }, { period })
    const { stdout } = await runToEnd(processes, start)
    expect(stdout).toEqual(['named'])
  })
})
