import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { NotSeenHere } from './not-seen-here.ts'

const ctrlC = '\u0003'

/** A program on a terminal, by the program `script` of util-linux. */
export class Terminal {
  text = ''
  /** Its exit code. */
  readonly ended: Promise<number>
  readonly #child: ChildProcess
  #isOver = false
  #look: () => void = () => {}

  constructor(line: string, surroundings: Pick<SpawnOptions, 'cwd' | 'env' | 'uid' | 'gid'>) {
    // The echo of keys would come at any place of the output.
    const command = `stty -echo -onlcr; exec ${line}`
    this.#child = spawn('script', ['-qefc', command, '/dev/null'], {
      ...surroundings,
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    this.#child.stdin!.on('error', () => {})
    this.#child.stdout!.setEncoding('utf8').on('data', (piece: string) => {
      this.text += piece
      this.#look()
    })
    const closed = once(this.#child, 'close').then(
      ([code]) => (code as number | null) ?? 1,
      () => {
        throw new NotSeenHere('there is no program script here, which makes terminals')
      },
    )
    this.ended = closed.finally(() => {
      this.#isOver = true
      this.#look()
    })
    this.ended.catch(() => {})
  }

  /** When it shows this. */
  async shows(words: string): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#look = () => {
        if (this.text.includes(words)) resolve()
        else if (this.#isOver)
          reject(new Error(`the terminal never showed ${words}:\n${this.text}`))
      }
      this.#look()
    })
  }

  pressCtrlC(): void {
    this.#child.stdin!.write(ctrlC)
  }

  /** Like closing its window: the programs on the terminal get SIGHUP. */
  async close(): Promise<void> {
    if (!this.#isOver) this.#child.kill('SIGKILL')
    await this.ended.catch(() => {})
  }
}
