import type { ExitCode } from '@kron/command'
import { MetricRegistry, systemClock, type TextOutput } from '@kron/runtime'
import { expect } from 'vitest'
import { createApi, type HttpServer, serveApi } from '../src/api/index.js'
import type { EndpointDocument } from '../src/cli/client/index.js'
import { type Host, runKron } from '../src/cli/index.js'
import { createAddressGuard } from '../src/dispatch/index.js'
import { noSystemQuotas, type SystemQuotas } from '../src/domain/index.js'
import { createVault, newSealingKeyText, parseSealingKeys } from '../src/secrets/index.js'
import { createTenant } from '../src/use-cases/index.js'
import { sampleNow } from './sample-endpoint.js'
import { SampleStore } from './sample-store.js'
import { silentLog } from './silent-log.js'

/** The words of a command line; quotes keep blanks together. */
export const wordsOf = (line: string): string[] =>
  (line.match(/"[^"]*"|'[^']*'|\S+/g) ?? []).map((word) => word.replace(/^(["'])(.*)\1$/, '$2'))

/** Ids are of no interest in what people read. */
export const withoutIds = (text: string): string =>
  text.replace(/\b(run|ep|job|key|sec|ses|aud)_[0-9a-z]{26}(_[0-9a-z]+)?/g, '$1_...')

export interface CommandRun {
  readonly exitCode: ExitCode
  readonly stdout: string
  readonly stderr: string
}

export interface CommandSurroundings {
  readonly env?: Readonly<Record<string, string>>
  readonly isTerminal?: boolean
  readonly columns?: number
  readonly files?: Readonly<Record<string, { readonly text: string; readonly isPrivate: boolean }>>
  readonly input?: string
  readonly interrupted?: AbortSignal
  /** Called in place of waiting. */
  readonly onSleep?: (ms: number) => Promise<void>
  readonly onOutput?: (all: string) => void
}

/** Runs `kron` as a process would, with what it writes collected. */
export async function runCommand(
  args: readonly string[],
  now: () => number,
  surroundings: CommandSurroundings = {},
): Promise<CommandRun> {
  const { isTerminal = false, columns = 80, files = {}, onSleep, onOutput } = surroundings
  const written = { stdout: '', stderr: '' }
  const output = (name: 'stdout' | 'stderr'): TextOutput => ({
    isTerminal,
    columns,
    write(text) {
      written[name] += text
      if (name === 'stdout') onOutput?.(written.stdout)
    },
  })
  const host: Host = {
    clock: { now: () => new Date(now()), sleep: async (ms) => onSleep?.(ms) },
    env: surroundings.env ?? {},
    home: '/home/ada',
    cwd: '/home/ada',
    writeFile: () => undefined,
    readFile: (path) => files[path] ?? null,
    createFile: () => Promise.reject(new Error('there is no disk in this test')),
    removeFile: async () => undefined,
    readInput: async () => new TextEncoder().encode(surroundings.input ?? ''),
    stdout: output('stdout'),
    stderr: output('stderr'),
    interrupted: surroundings.interrupted ?? new AbortController().signal,
  }
  const exitCode = await runKron(args, host)
  return { exitCode, ...written }
}

/** Without a server, unless the line names one. */
export const runAlone = (line: string, surroundings?: CommandSurroundings): Promise<CommandRun> =>
  runCommand(wordsOf(line), () => sampleNow, surroundings)

export const sampleUrl = 'https://api.example.com/sync'

/** A real server with its API on a port of this machine, and a tenant with an admin key. */
export class KronCommands {
  sample!: SampleStore
  server!: HttpServer
  key!: string
  tenantId!: string

  readonly start = (): Promise<void> => this.startWith(noSystemQuotas)

  async startWith(systemQuotas: SystemQuotas): Promise<void> {
    this.sample = await SampleStore.open({}, systemQuotas)
    const { sample } = this
    const clock = { now: () => new Date(sample.now), sleep: systemClock().sleep }
    const log = silentLog(clock)
    const vault = createVault(parseSealingKeys(newSealingKeyText(), 'the test'))
    const { store } = sample
    const ports = { store, vault, addressGuard: createAddressGuard({ allow: [] }) }
    const app = createApi({ ...ports, clock, log, metrics: new MetricRegistry(), signup: 'closed' })
    const { tenant, text } = await createTenant(ports, { name: 'ada' })
    this.tenantId = tenant.id
    this.key = text
    this.server = await serveApi(app, { port: 0, clock, graceMs: 100 })
  }

  readonly stop = async (): Promise<void> => {
    await this.server.close()
    await this.sample.store.close()
  }

  /** Every argument is a word of its own. */
  run(args: readonly string[], surroundings: CommandSurroundings = {}): Promise<CommandRun> {
    const env = { KRON_SERVER: this.server.url, KRON_KEY: this.key, ...surroundings.env }
    return runCommand(args, () => this.sample.now, { ...surroundings, env })
  }

  readonly runLine = (line: string): Promise<CommandRun> => this.run(wordsOf(line))

  /** What a line that succeeds and warns of nothing prints, without ids. */
  readonly success = async (line: string): Promise<string> => {
    const { exitCode, stdout, stderr } = await this.runLine(line)
    expect(stderr).toBe('')
    expect(exitCode).toBe(0)
    return withoutIds(stdout)
  }

  /** What a command that succeeds prints as JSON. */
  async json<T>(...args: string[]): Promise<T> {
    const { exitCode, stdout, stderr } = await this.run([...args, '--format', 'json'])
    if (exitCode !== 0) throw new Error(stderr)
    return JSON.parse(stdout) as T
  }

  /** Makes the endpoint `sync` of the new job `nightly`. */
  readonly makeSync = async (...more: string[]): Promise<EndpointDocument> => {
    await this.json('jobs', 'create', 'nightly')
    return this.createEndpoint('sync', 'nightly', ...more)
  }

  readonly createEndpoint = (
    name: string,
    job: string,
    ...more: string[]
  ): Promise<EndpointDocument> =>
    this.json('endpoints', 'create', name, '--job', job, '--url', sampleUrl, ...more)

  /** The endpoint as the store knows it. */
  readonly owned = ({ id }: Pick<EndpointDocument, 'id'>) => ({ id, tenantId: this.tenantId })
}
