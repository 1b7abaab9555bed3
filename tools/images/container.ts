import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Image } from './image.ts'
import { beside, type RootedProgram, rooted } from './rooted-program.ts'
import { type Ended, StartedProgram } from './started-program.ts'

export interface ContainerOptions {
  /** In place of the image's own command. */
  readonly command?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Folders of this machine by their place in the container. They must be there in the image. */
  readonly folders?: Readonly<Record<string, string>>
}

/**
 * An image that runs: as its user, with root file system read-only and without rights, with /tmp and
 * its volumes to write to, and a network of its own.
 */
export class Container {
  readonly #image: Image
  readonly #volumes: readonly string[]
  readonly #program: RootedProgram
  readonly #started: StartedProgram

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
    this.#started = new StartedProgram(...rooted(this.#program))
  }

  /** Resolves when it has printed that; rejects when it ends before. */
  printed(expected: RegExp): Promise<RegExpExecArray> {
    return this.#started.printed(expected)
  }

  /** Another program in it, as its health check is. */
  execute(words: readonly string[]): Promise<Ended> {
    return new StartedProgram(...beside(this.#started.pid, { ...this.#program, words })).ended
  }

  checkHealth(): Promise<Ended> {
    return this.execute(this.#image.config.health)
  }

  get ended(): Promise<Ended> {
    return this.#started.ended
  }

  /** As an engine stops it. */
  stop(): Promise<Ended> {
    return this.#started.end(this.#image.config.stopSignal)
  }

  /** Ends the container, if it still runs, and removes its files. */
  async remove(): Promise<void> {
    await this.#started.end('SIGKILL')
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
