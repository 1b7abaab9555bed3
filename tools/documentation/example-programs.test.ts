import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { codeBlocks } from './code-blocks.js'
import { readText, repository } from './documentation-host.js'

/** A program with its output, until it ends or is stopped. */
class Program {
  text = ''
  readonly child: ChildProcess
  readonly ended: Promise<number | null>
  #isOver = false
  #look: () => void = () => {}

  constructor(folder: string, words: readonly string[], env: Readonly<Record<string, string>>) {
    const surroundings = { PATH: process.env['PATH'] ?? '', HOME: folder, NO_COLOR: '1', ...env }
    this.child = spawn(process.execPath, words, { cwd: folder, env: surroundings, stdio: 'pipe' })
    for (const output of [this.child.stdout!, this.child.stderr!]) {
      output.setEncoding('utf8').on('data', (piece: string) => {
        this.text += piece
        this.#look()
      })
    }
    this.ended = once(this.child, 'close').then(([code]) => {
      this.#isOver = true
      this.#look()
      return code as number | null
    })
  }

  /** What the pattern finds in its output, as soon as it does. */
  prints(pattern: RegExp): Promise<RegExpExecArray> {
    return new Promise((resolve, reject) => {
      this.#look = () => {
        const found = pattern.exec(this.text)
        if (found !== null) resolve(found)
        else if (this.#isOver) reject(new Error(`it ended without ${pattern}:\n${this.text}`))
      }
      this.#look()
    })
  }

  async stop(signal: NodeJS.Signals = 'SIGINT'): Promise<number | null> {
    if (!this.#isOver) this.child.kill(signal)
    return this.ended
  }
}

let folder: string
const running: Program[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kron-examples-'))
})
afterEach(async () => {
  for (const program of running.splice(0)) await program.stop('SIGKILL')
  rmSync(folder, { recursive: true })
})

function start(words: readonly string[], env: Readonly<Record<string, string>> = {}): Program {
  const program = new Program(folder, words, env)
  running.push(program)
  return program
}

async function output(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const program = start(words, env)
  const code = await program.ended
  if (code !== 0) throw new Error(`it ended with ${code}:\n${program.text}`)
  return program.text
}

describe('packages/scheduler/README.md', () => {
  it('has a program that runs as pasted, and ends when it is told to', async () => {
    const [block] = codeBlocks(readText('packages/scheduler/README.md'))
    writeFileSync(join(folder, 'app.mjs'), block!.lines.join('\n'))
    symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'))
    const program = start(['app.mjs'])
    await program.prints(/^the report is there$/m)
    expect(await program.stop('SIGTERM')).toBe(0)
    expect(readdirSync(folder)).toContain('kron-scheduler.db')
  })
})

describe('examples/scheduler', () => {
  /** The files as a user has them after copying them into a project. */
  beforeEach(() => {
    cpSync(join(repository, 'examples/scheduler'), folder, { recursive: true })
    symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'))
  })

  it('minimal.mjs runs a task at once, keeps its state, and ends on Ctrl-C', async () => {
    const program = start(['minimal.mjs'])
    await program.prints(/^Ctrl-C stops it\.\n(.*\n)*hello$/m)
    expect(await program.stop()).toBe(0)
    expect(readdirSync(folder)).toContain('tasks.db')
  })

  it('http-server.mjs answers, counts, and ends in order', async () => {
    const program = start(['http-server.mjs', '0'])
    const [, url] = await program.prints(/^(http:\S+)\. Ctrl-C stops it\.$/m)
    await program.prints(/^TaskRunCompleted /m)
    expect(await (await fetch(url!)).text()).toBe('1 visits, 1 reports\n')
    expect(await program.stop('SIGTERM')).toBe(0)
    expect(program.text).toMatch(/\nstopping\n(.*\n)*stopped\n$/)
  })

  it('reminders.test.mjs passes, and fails when the schedule is another one', async () => {
    expect(await output(['--test', 'reminders.test.mjs'])).toMatch(/pass 2/)
    const path = join(folder, 'reminders.mjs')
    const wrong = readFileSync(path, 'utf8').replace('0 8 * * 1-5', '0 9 * * 1-5')

    writeFileSync(path, wrong)
    await expect(output(['--test', 'reminders.test.mjs'])).rejects.toThrow(/fail 2/)
  })
})

describe('examples/server', () => {
  const kron = join(repository, 'packages/server/bin/kron.js')
  const example = (name: string): string => join(repository, 'examples/server', name)

  async function served() {
    const server = start([kron, 'serve', '--allow-local', '--port', '0'])
    const [, url] = await server.prints(/API {3}(\S+)\/api\/v1/)
    const [secret] = await server.prints(/whsec_\S+=/)
    return { KRON_SERVER: url!, SECRET: secret }
  }

  async function target(env: Readonly<Record<string, string>>): Promise<string> {
    const [, url] = await start([example('target.mjs'), '0'], env).prints(/on (http:\S+)\. Ctrl-C/)
    return url!
  }

  it('set up endpoints, again and again, and their target steers', async () => {
    const env = await served()
    const url = await target(env)
    const first = await output([example('set-up.mjs'), url], env)
    expect(first).toMatch(/^created stock\/drain \(ep_\w+\), next run \S+Z\ncreated stock\/report /)
    const second = await output([example('set-up.mjs'), url], env)
    expect(second).toBe(first.replaceAll('created', 'updated'))
    const run = await output([kron, 'run-now', 'drain', '--wait', '--format', 'json'], env)
    const { id, response } = JSON.parse(run) as { id: string; response: { httpStatus: number } }
    expect(response.httpStatus).toBe(200)
    expect(await output([kron, 'runs', 'show', id, '--body'], env)).toBe(
      '{"repeated":false,"waiting":2}',
    )
    expect(await output([kron, 'endpoints', 'explain', 'drain'], env)).toMatch(
      /every 10s, interval hint by response/,
    )
  })

  it('have a target that takes nothing without a signature, or with that of another', async () => {
    const url = await target({ SECRET: `whsec_${Buffer.alloc(32, 1).toString('base64')}` })
    const status = async (headers: Readonly<Record<string, string>>) =>
      (await fetch(url, { method: 'POST', headers, body: '{}' })).status
    expect(await status({})).toBe(401)
    const env = await served()
    await output([example('set-up.mjs'), url], env)
    const refused = output([kron, 'run-now', 'drain', '--wait'], env)
    await expect(refused).rejects.toThrow(/ended with 4:(.*\n)*answer +HTTP 401/)
  })

  it('say what is missing', async () => {
    await expect(output([example('target.mjs')])).rejects.toThrow(/ended with 1:\nSECRET must hold/)
  })
})
