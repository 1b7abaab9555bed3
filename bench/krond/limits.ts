import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { scratchFolder } from './scratch-folder.ts'

/** What this machine can do at best, in a process that does nothing else. */
export interface Limits {
  readonly nodeSpawnPerSecond: number
  /** null where foreign calls can't be made. */
  readonly posixSpawnPerSecond: number | null
  readonly durableWritesPerSecond: number
  readonly durableWritesAtOncePerSecond: number
}

const rounds = 3
const starts = 600
const writes = 1000

/** In a process of its own, since a larger one spawns slower. */
export async function measureLimits(): Promise<Limits> {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url)], {
    env: { ...process.env, UV_THREADPOOL_SIZE: '16' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  for await (const piece of child.stdout!) output += String(piece)
  return JSON.parse(output) as Limits
}

/** The better of two measurements of each: a machine that is shared is slow for minutes at times. */
export function betterOf(a: Limits, b: Limits): Limits {
  const better = (limit: keyof Limits): number => Math.max(a[limit] ?? 0, b[limit] ?? 0)
  return {
    nodeSpawnPerSecond: better('nodeSpawnPerSecond'),
    posixSpawnPerSecond: better('posixSpawnPerSecond') || null,
    durableWritesPerSecond: better('durableWritesPerSecond'),
    durableWritesAtOncePerSecond: better('durableWritesAtOncePerSecond'),
  }
}

async function inFlight(count: number, atOnce: number, work: (n: number) => Promise<unknown>) {
  let next = 0
  const begin = performance.now()
  const worker = async (): Promise<void> => {
    for (let n = next++; n < count; n = next++) await work(n)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return count / ((performance.now() - begin) / 1000)
}

async function best(measure: () => Promise<number>): Promise<number> {
  let most = 0
  for (let round = 0; round < rounds; round++) most = Math.max(most, await measure())
  return most
}

const nodeSpawn = (): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn('/bin/true', [], { stdio: 'ignore' })
    child.once('error', reject)
    child.once('exit', () => resolve())
  })

async function posixSpawn(): Promise<number | null> {
  const { loadProcessCalls } = await import(
    '../../packages/krond/dist/process/spawn/process-calls.js'
  )
  const { ChildReaper } = await import('../../packages/krond/dist/process/spawn/native-spawner.js')
  const calls = loadProcessCalls()
  if (calls === null) return null
  const reaper = new ChildReaper((pid) => calls.reap(pid))
  return best(() =>
    inFlight(starts, 16, async () => {
      const pid = await calls.spawn('/bin/true', ['true'], [], [])
      await reaper.exitOf(pid)
    }),
  )
}

async function durableWrites(folder: string, atOnce: number): Promise<number> {
  const bytes = Buffer.alloc(400, 'x')
  const folderHandle = await open(folder, 'r')
  const rate = await best(() =>
    inFlight(writes, atOnce, async (n) => {
      const path = join(folder, `file-${n}`)
      const handle = await open(`${path}.tmp`, 'w', 0o600)
      await handle.write(bytes)
      await handle.sync()
      await handle.close()
      await rename(`${path}.tmp`, path)
      await folderHandle.sync()
    }),
  )
  await folderHandle.close()
  return rate
}

async function measureHere(): Promise<Limits> {
  const folder = scratchFolder()
  try {
    return {
      nodeSpawnPerSecond: await best(() => inFlight(starts, 16, nodeSpawn)),
      posixSpawnPerSecond: await posixSpawn(),
      durableWritesPerSecond: await durableWrites(folder, 1),
      durableWritesAtOncePerSecond: await durableWrites(folder, 64),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.stdout.write(JSON.stringify(await measureHere()))
}
