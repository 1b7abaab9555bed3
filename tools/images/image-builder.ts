import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BaseImage, baseEnv } from './base-image.ts'
import { contextFiles } from './build-context.ts'
import { type Dockerfile, expanded, parseDockerfile, type Stage } from './dockerfile.ts'
import type { Image } from './image.ts'
import { StageBuild } from './stage-build.ts'

const repository = fileURLToPath(new URL('../..', import.meta.url))

/** Builds images of this repository without an engine: their steps, one after the other, in folders. */
export class ImageBuilder {
  readonly #folder = mkdtempSync(join(tmpdir(), 'kron-image-'))
  readonly #base = new BaseImage(this.#folder)
  /** By their text: two files that begin alike do so once, as with the cache of an engine. */
  readonly #stages = new Map<string, StageBuild>()

  async build(path: string, args: Readonly<Record<string, string>> = {}): Promise<Image> {
    const file = parseDockerfile(readFileSync(join(repository, path), 'utf8'))
    const named = new Map<string, StageBuild>()
    let last: StageBuild | undefined
    for (const stage of file.stages) {
      checkBase(file, stage, args)
      last = await this.#built(stage, named, args)
      if (stage.name !== undefined) named.set(stage.name, last)
    }
    const { root, config } = last!
    return { root, config, mounts: this.#base.mounts }
  }

  /** Nothing is mounted but in processes that have ended. */
  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }

  async #built(
    stage: Stage,
    named: ReadonlyMap<string, StageBuild>,
    args: Readonly<Record<string, string>>,
  ): Promise<StageBuild> {
    const isOnItsOwn = stage.instructions.every(
      ({ name, flags }) => name !== 'ARG' && !flags.has('from'),
    )
    const key = JSON.stringify(
      stage.instructions.map(({ name, flags, text }) => [name, [...flags], text]),
    )
    const found = isOnItsOwn ? this.#stages.get(key) : undefined
    if (found !== undefined) return found
    const root = join(this.#folder, `stage-${this.#stages.size}`)
    const sources = {
      stage: (name: string) => {
        const other = named.get(name)
        if (other === undefined) throw new Error(`there is no stage ${name} to copy from`)
        return other.root
      },
      context: copyContext,
    }
    const build = new StageBuild(root, this.#base, baseEnv, sources, args)
    this.#stages.set(isOnItsOwn ? key : root, build)
    await build.follow(stage)
    return build
  }
}

/** Whatever it is named, the stand-in takes its place; but it must be an image of Node. */
function checkBase(
  { globals }: Dockerfile,
  { base, name }: Stage,
  given: Readonly<Record<string, string>>,
): void {
  const args = Object.fromEntries(globals.map(({ text }) => text.split('=') as [string, string]))
  const image = expanded(base, { ...args, ...given }, 0)
  if (!/^node[:@]/.test(image)) throw new Error(`stage ${name ?? ''} is built on ${image}`)
}

function copyContext(source: string, target: string): void {
  const isWithin = (path: string): boolean =>
    source === '.' || path === source || path.startsWith(`${source}/`)
  const found = contextFiles(repository).filter(isWithin)
  if (found.length === 0) throw new Error(`COPY finds no ${source} that .dockerignore lets through`)
  for (const path of found) {
    const to = join(target, source === '.' ? path : path.slice(source.length))
    mkdirSync(dirname(to), { recursive: true })
    cpSync(join(repository, path), to, { verbatimSymlinks: true })
  }
}
