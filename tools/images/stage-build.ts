import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, globSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type BaseImage, npmCache, npmSettings } from './base-image.ts'
import { assignments, execForm, expanded, type Instruction, type Stage } from './dockerfile.ts'
import { emptyConfig, type ImageConfig } from './image.ts'
import { rooted } from './rooted-program.ts'
import { StartedProgram } from './started-program.ts'

/** Where a stage may copy from. */
export interface CopySources {
  /** The root of a stage that is done. */
  stage(name: string): string
  /** Puts the files of the build context that a source names below a folder. */
  context(source: string, folder: string): void
}

/** Follows the instructions of a stage in a folder that is to be its root. */
export class StageBuild {
  readonly root: string
  config: ImageConfig
  readonly #base: BaseImage
  readonly #sources: CopySources
  /** Values for `ARG`, from the caller of the build. */
  readonly #given: Readonly<Record<string, string>>
  readonly #args: Record<string, string> = {}

  constructor(
    root: string,
    base: BaseImage,
    env: Readonly<Record<string, string>>,
    sources: CopySources,
    given: Readonly<Record<string, string>>,
  ) {
    this.root = root
    this.config = emptyConfig(env)
    this.#base = base
    this.#sources = sources
    this.#given = given
    mkdirSync(root)
    base.prepare(root)
  }

  async follow({ instructions }: Stage): Promise<void> {
    for (const instruction of instructions) await this.#step(instruction)
  }

  async #step(instruction: Instruction): Promise<void> {
    const { name, text, line, flags } = instruction
    const known = name === 'COPY' ? ['from', 'chown'] : name === 'RUN' ? ['mount'] : []
    const strange =
      name === 'HEALTHCHECK' ? [] : [...flags.keys()].filter((f) => !known.includes(f))
    if (strange.length > 0) throw new Error(`line ${line}: --${strange} of ${name} is not replayed`)
    const value = (): string => expanded(text, this.#variables, line)
    const { config } = this
    switch (name) {
      case 'ARG': {
        const [, variable = '', usual] = /^(\w+)(?:=(.*))?$/.exec(text) ?? []
        this.#args[variable] = this.#given[variable] ?? usual ?? ''
        return
      }
      case 'ENV':
        this.config = { ...config, env: { ...config.env, ...this.#assigned(instruction) } }
        return
      case 'LABEL':
        this.config = { ...config, labels: { ...config.labels, ...this.#assigned(instruction) } }
        return
      case 'WORKDIR':
        this.config = { ...config, workdir: value() }
        mkdirSync(this.#own(value()), { recursive: true })
        return
      case 'USER':
        this.config = { ...config, user: value() }
        return
      case 'VOLUME':
        this.config = { ...config, volumes: [...config.volumes, value()] }
        return
      case 'EXPOSE':
        this.config = { ...config, ports: [...config.ports, value()] }
        return
      case 'STOPSIGNAL':
        this.config = { ...config, stopSignal: value() as NodeJS.Signals }
        return
      case 'ENTRYPOINT':
        this.config = { ...config, entrypoint: execForm(instruction) }
        return
      case 'CMD':
        this.config = { ...config, command: execForm(instruction) }
        return
      case 'HEALTHCHECK':
        if (!text.startsWith('CMD ')) throw new Error(`line ${line}: HEALTHCHECK has no CMD`)
        this.config = { ...config, health: execForm({ ...instruction, text: text.slice(4) }) }
        return
      case 'COPY':
        this.#copy(instruction)
        return
      case 'RUN':
        await this.#run(instruction)
        return
      case 'FROM':
        throw new Error(`line ${line}: a stage can't have FROM again`)
    }
  }

  get #variables(): Record<string, string> {
    return { ...this.#args, ...this.config.env }
  }

  #assigned(instruction: Instruction): Readonly<Record<string, string>> {
    return assignments(instruction, this.#variables)
  }

  /** The place in the folder of a path in the image. */
  #own(path: string): string {
    const whole = path.startsWith('/') ? path : join(this.config.workdir, path)
    if (this.#base.isMounted(whole)) throw new Error(`${whole} belongs to the base image`)
    return join(this.root, whole)
  }

  #copy({ text, line, flags }: Instruction): void {
    const words = expanded(text, this.#variables, line).split(/\s+/)
    const to = words.pop()!
    const target = this.#own(to)
    const before = new Set(globSync('**', { cwd: target }))
    const from = flags.get('from')
    for (const source of words) {
      if (from === undefined) this.#sources.context(source, target)
      else
        copyBetween(this.#sources.stage(from), source, target, words.length > 1 || to.endsWith('/'))
    }
    const owner = flags.get('chown')
    if (owner === undefined || process.getuid?.() !== 0) return
    const added = globSync('**', { cwd: target }).filter((path) => !before.has(path))
    const paths = ['.', ...added].map((path) => join(target, path))
    const { status, stderr } = spawnSync('chown', ['-h', owner, ...paths], { encoding: 'utf8' })
    if (status !== 0) throw new Error(`line ${line}: ${stderr}`)
  }

  async #run({ text, line, flags }: Instruction): Promise<void> {
    const { env, user, workdir } = this.config
    const settings = npmSettings()
    const mounts = [...this.#base.mounts, ...settings.mounts]
    if (settings.mounts.length > 0) writeFileSync(join(this.root, 'root/.npmrc'), '')
    const mount = flags.get('mount')
    if (mount !== undefined) {
      if (mount !== 'type=cache,target=/root/.npm') {
        throw new Error(`line ${line}: only the cache of npm can be mounted, got ${mount}`)
      }
      mkdirSync(npmCache(), { recursive: true })
      mkdirSync(join(this.root, 'root/.npm'), { recursive: true })
      mounts.push(`rw:${npmCache()}:/root/.npm`)
    }
    chmodSync(join(this.root, 'tmp'), 0o1777)
    const called = rooted({
      root: this.root,
      mounts,
      isAlone: false,
      user,
      folder: workdir,
      env: { HOME: '/root', ...settings.env, ...this.#variables, ...env },
      words: ['/bin/sh', '-c', text],
    })
    const { code, output } = await new StartedProgram(...called).ended
    if (code !== 0) throw new Error(`line ${line}: RUN ${text}\n${output}`)
  }
}

/** Like COPY: the content of a folder goes into the target, a file under its name or the target's. */
function copyBetween(root: string, source: string, target: string, intoFolder: boolean): void {
  const found = globSync(source.slice(1), { cwd: root })
  if (found.length === 0) throw new Error(`COPY finds no ${source}`)
  for (const path of found) {
    const from = join(root, path)
    const isFolder = statSync(from).isDirectory()
    const to = !isFolder && intoFolder ? join(target, path.split('/').at(-1)!) : target
    mkdirSync(isFolder ? to : dirname(to), { recursive: true })
    cpSync(from, to, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true })
  }
}
