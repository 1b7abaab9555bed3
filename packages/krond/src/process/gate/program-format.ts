import { constants } from 'node:fs'
import { open, readdir, readFile, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { type Clock, Semaphore } from '@kron/runtime'
import { within } from '../time-limit.js'

/*
 * What the kernel refuses with ENOEXEC, a shell runs itself: its `exec` hands a text without `#!` to
 * /bin/sh, as POSIX has it. A gate is a shell, so a job would run in a shell that it has not asked
 * for, and fail or do something else wherever it is executed by anything else. No option of a shell
 * turns that off, so somebody has to look at the first bytes before.
 *
 * The daemon does, when the gate is ready. A gate could only read them byte by byte up to the end of
 * the first line, which takes dash some milliseconds for a binary, or start another program.
 *
 * - The file may be replaced before `exec`. That lets a text run that was none a moment ago, as all
 *   did before, and it gives nobody a right: a user who may replace the file may also put `#!`
 *   into it.
 * - What can't be read, or not in time, is not refused: the daemon may lack a right that the job's
 *   user has. A file system that does not answer keeps one thread at most, since one file is
 *   looked at at a time, and no later start waits for long.
 */

const longestMs = 1000
const startBytes = 256
const { O_RDONLY, O_NONBLOCK, O_NOCTTY } = constants

/** Looks at the files that are about to be executed. */
export class ProgramFormats {
  readonly #clock: Clock
  readonly #look: (path: string) => Promise<boolean>
  readonly #turn = new Semaphore(1)
  #isStuck = false

  constructor(clock: Clock, look = lookAtFiles()) {
    this.#clock = clock
    this.#look = look
  }

  /** Whether the kernel would refuse to execute the file, and a shell would not. */
  async isBareText(path: string): Promise<boolean> {
    if (this.#isStuck) return false
    const looked = this.#turn.run(() => this.#look(path).catch(() => false))
    const isText = await within(looked, longestMs, this.#clock)
    if (isText !== 'late') return isText
    this.#isStuck = true
    void looked.then(() => {
      this.#isStuck = false
    })
    return false
  }
}

const maxKnown = 1000

/** Remembers what is no bare text as long as the file stays the same: most jobs run often. */
function lookAtFiles(): (path: string) => Promise<boolean> {
  const known = new Map<string, string>()
  return async (path) => {
    const now = await stat(path)
    // To read from a pipe or device takes away what is in it.
    if (!now.isFile()) return false
    const mark = [now.dev, now.ino, now.size, now.mtimeMs, now.ctimeMs].join()
    if (known.get(path) === mark) return false
    if (await isBareText(path)) return true
    if (known.size >= maxKnown) known.clear()
    known.set(path, mark)
    return false
  }
}

async function isBareText(path: string): Promise<boolean> {
  const start = await startOf(path)
  // Binaries have zeros there, of whatever machine they are; shells judge by the same.
  if (start.subarray(0, 2).toString() === '#!' || start.includes(0)) return false
  return !(await isRegisteredFormat(path, start))
}

async function startOf(path: string): Promise<Buffer> {
  const file = await open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(startBytes), 0, startBytes, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

const formatsFolder = '/proc/sys/fs/binfmt_misc'
const switches = new Set(['register', 'status'])

/**
 * Whether an interpreter is registered with the kernel for a file that begins so (binfmt_misc): it
 * executes texts, too, by the end of their names or by their first bytes.
 */
export async function isRegisteredFormat(
  path: string,
  start: Buffer,
  folder = formatsFolder,
): Promise<boolean> {
  const names = await readdir(folder).catch(() => [])
  for (const name of names.filter((one) => !switches.has(one))) {
    const entry = await readFile(join(folder, name), 'utf8').catch(() => '')
    if (matches(entry, path, start)) return true
  }
  return false
}

function matches(entry: string, path: string, start: Buffer): boolean {
  const field = (name: string): string => new RegExp(`^${name} (\\S+)$`, 'm').exec(entry)?.[1] ?? ''
  if (!/^enabled$/m.test(entry)) return false
  const extension = field('extension')
  if (extension !== '') return extname(path) === extension
  const magic = Buffer.from(field('magic'), 'hex')
  const mask = Buffer.from(field('mask'), 'hex')
  const offset = Number(field('offset') || 0)
  return (
    magic.length > 0 &&
    magic.every((byte, at) => {
      const kept = mask[at] ?? 0xff
      return ((start[offset + at] ?? 0) & kept) === (byte & kept)
    })
  )
}
