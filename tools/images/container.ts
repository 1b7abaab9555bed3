import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Image } from './image.ts'
import { beside, type RootedProgram, rooted } from './rooted-program.ts'

export interface ContainerOptions {
  /** In place of the image's own command. */
  readonly command?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Folders of this machine by their place in the container. They must be there in the image. */
  readonly folders?: Readonly<Record<string, string>>
}

export interface Ended {
  readonly code: number | null
  readonly output: string
}

/**
 * An image that runs: as its user, with root file system read-only and without rights, with /tmp and
 * its volumes to write to, and a network of its own.
 */
export class Container {
  readonly #program: RootedProgram
  readonly #image: Image
  readonly #process: ChildProcess
  readonly #volumes: readonly string[]
  readonly #ended: Promise<Ended>
  #output = ''
  #seen = (): void => undefined

  constructor(image: Image, { command, env = {}, folders = {} }: ContainerOptions = {}) {
    const { config, mounts, root } = image
    this.#image = image
    const volumes = config.volumes.map((path) => ({ path, folder: volumeFor(config.user) }))
    this.#volumes = volumes.map(({ folder }) => folder)
    const given = Object.entries(folders).map(([path, folder]) => ({ path, folder }))
    this.#program = {
      root,
      mounts: [
        'sealed',
        ...mounts,
        'tmp:/tmp',
        ...[...volumes, ...given].map(({ path, folder }) => `rw:${folder}:${path}`),
      ],
      isAlone: true,
      user: config.user,
      folder: config.workdir,
      // Nobody in the image has this user's number, so that no home is known.
      env: { HOME: '/', ...config.env, ...env },
      words: [...config.entrypoint, ...(command ?? config.command)],
    }
    this.#process = spawn(...rooted(this.#program), { stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [this.#process.stdout!, this.#process.stderr!]) {
      stream.setEncoding('utf8').on('data', (piece) => {
        this.#output += piece
        this.#seen()
      })
    }
    this.#ended = once(this.#process, 'close').then(([code]) => {
      this.#seen()
      return { code, output: this.#output }
    })
  }

  /** Resolves when it has printed the text; rejects when it ends without. */
  async printed(text: string): Promise<void> {
    let isOver = false
    const over = this.#ended.then(() => {
      isOver = true
    })
    while (!this.#output.includes(text)) {
      if (isOver) throw new Error(`it ended without printing ${text}:\n${this.#output}`)
      await Promise.race([
        over,
        new Promise<void>((resolve) => {
          this.#seen = resolve
        }),
      ])
    }
  }

  /** Another program in it, as its health check is. */
  async execute(words: readonly string[]): Promise<Ended> {
    const called = beside(this.#process.pid!, { ...this.#program, words })
    const child = spawn(...called, { stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (piece) => {
        output += piece
      })
    }
    const [code] = await once(child, 'close')
    return { code, output }
  }

  checkHealth(): Promise<Ended> {
    return this.execute(this.#image.config.health)
  }

  ended(): Promise<Ended> {
    return this.#ended
  }

  /** As an engine stops it. */
  stop(): Promise<Ended> {
    this.#process.kill(this.#image.config.stopSignal)
    return this.#ended
  }

  /** Ends it, if it has not ended, and forgets what it wrote. */
  async remove(): Promise<void> {
    this.#process.kill('SIGKILL')
    await this.#ended
    for (const folder of this.#volumes) rmSync(folder, { recursive: true, force: true })
  }
}

/** Empty, and of the user that the image has for it. */
function volumeFor(user: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'kron-volume-'))
  const [uid, gid = uid] = user.split(':').map(Number)
  if (process.getuid?.() === 0) chownSync(folder, uid!, gid!)
  return folder
}
