import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { NotSeenHere } from './not-seen-here.ts'
import { installPrograms } from './programs.ts'
import { Terminal } from './terminal.ts'

/** What somebody saw. */
export interface Seen {
  readonly text: string
  readonly exitCode: number
}

const nobody = 65_534
/** Root is nobody's newcomer: its files are those of the machine. */
const account = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {}

/** Somebody with an empty home, our programs in the PATH, and nothing else. */
export class Newcomer {
  readonly home: string
  readonly #folder: string
  readonly #terminals: Terminal[] = []
  readonly #replaced: [string, string][] = []

  constructor(node = process.execPath) {
    this.#folder = realpathSync(mkdtempSync(join(tmpdir(), 'kron-newcomer-')))
    chmodSync(this.#folder, 0o755)
    this.home = join(this.#folder, 'ada')
    mkdirSync(this.home)
    own(this.home)
    installPrograms(join(this.#folder, 'bin'), node)
    demandReadable(node)
  }

  /** Below the home. Folders on the way are made. */
  file(name: string, text: string, mode = 0o600): string {
    const path = join(this.home, name)
    this.#makeFolder(dirname(name))
    writeFileSync(path, text)
    chmodSync(path, mode)
    own(path)
    return path
  }

  /** A line of shell to its end. */
  async types(line: string): Promise<Seen> {
    const child = spawn('/bin/sh', ['-c', `exec 2>&1; ${line}`], {
      ...this.#surroundings,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let text = ''
    child.stdout!.setEncoding('utf8').on('data', (piece: string) => {
      text += piece
    })
    const [code] = (await once(child, 'close')) as [number | null]
    return { text: this.steady(text), exitCode: code ?? 1 }
  }

  /** A line of shell on a terminal of its own. */
  opensTerminal(line: string): Terminal {
    const terminal = new Terminal(line, this.#surroundings)
    this.#terminals.push(terminal)
    return terminal
  }

  /** Has `steady` show something under another name. */
  replaces(text: string, shown: string): void {
    this.#replaced.push([text, shown])
  }

  /** What is another one each time, as it is shown in the documentation. */
  steady(text: string): string {
    const named = this.#replaced.reduce((all, [from, to]) => all.replaceAll(from, to), text)
    return named
      .replaceAll(this.home, '/home/ada')
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, '2026-03-01T10:00:00Z')
      .replace(/^\d\d:\d\d:\d\d(?= {2})/gm, '10:00:00')
      .replace(/ at (?:\d{4}-\d\d-\d\d )?\d\d:\d\d:\d\d, in [\dhms]+/g, ' at 10:01:00, in 1m')
      .replace(/\bprocess \d+/g, 'process 4711')
      .replace(/ after [\d.]+m?s\b/g, ' after 12ms')
      .replace(/\bthis is Node \S+ \(.*?\)/g, 'this is Node 20.20.2 (/usr/bin/node)')
  }

  async leaves(): Promise<void> {
    for (const terminal of this.#terminals) await terminal.close()
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 20 })
  }

  #makeFolder(name: string): void {
    if (name === '.') return
    this.#makeFolder(dirname(name))
    const path = join(this.home, name)
    mkdirSync(path, { recursive: true, mode: 0o700 })
    own(path)
  }

  get #surroundings() {
    return {
      ...account,
      cwd: this.home,
      env: {
        PATH: `${join(this.#folder, 'bin')}:${process.env['PATH']}`,
        HOME: this.home,
        TZ: 'UTC',
        NO_COLOR: '1',
      },
    }
  }
}

function own(path: string): void {
  if (account.uid !== undefined) chownSync(path, account.uid, account.gid)
}

/** A checkout in the home of root is closed to others. */
function demandReadable(node: string): void {
  const script = new URL('../../package.json', import.meta.url).pathname
  const args = ['-e', 'require("node:fs").readFileSync(process.argv[1])', script]
  if (spawnSync(node, args, { ...account, cwd: '/' }).status === 0) return
  throw new NotSeenHere('the user nobody may not run node or read this checkout')
}
