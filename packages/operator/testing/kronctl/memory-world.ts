import type { ExitCode } from '@kron/command'
import { memoryFiles, memoryOutput } from '@kron/command/testing'
import { VirtualClock } from '@kron/runtime/testing'
import type { ClusterChoice, KronctlHost } from '../../src/kronctl/host.js'
import type { ProgramName } from '../../src/kronctl/invocation.js'
import { runKronctl } from '../../src/kronctl/program.js'
import type { KubeApi, KubeObject, Resource } from '../../src/kube/index.js'
import { MemoryKubeApi } from '../kube-api/index.js'

export interface WorldOptions {
  readonly files?: Readonly<Record<string, string>>
  readonly input?: string
  readonly env?: Readonly<Record<string, string>>
  readonly isTerminal?: boolean
  /** What the cluster has; without it there is no cluster. */
  readonly objects?: readonly (readonly [Resource, KubeObject])[]
  /** Stands before the API server. */
  readonly through?: (api: KubeApi) => KubeApi
  readonly name?: ProgramName
}

export interface WorldRun {
  readonly exitCode: ExitCode
  readonly stdout: string
  readonly stderr: string
  readonly written: ReadonlyMap<string, string | Uint8Array>
  readonly api: MemoryKubeApi
  /** How often the cluster was asked for, and what for. */
  readonly connections: readonly ClusterChoice[]
  readonly isClosed: boolean
}

/** Runs a command in a world of its own: 1 March 2026, no files and no cluster but those given. */
export async function runInMemory(
  args: readonly string[],
  options: WorldOptions = {},
): Promise<WorldRun> {
  const clock = new VirtualClock(new Date('2026-03-01T00:00:00Z'))
  const api = new MemoryKubeApi({ clock })
  for (const [resource, object] of options.objects ?? []) api.objects.create(resource, object)
  const written = new Map<string, string | Uint8Array>()
  const connections: ClusterChoice[] = []
  const suffixes = ['aaaaa', 'bbbbb', 'ccccc']
  let open = 0
  const { output, ...streams } = memoryOutput({ isTerminal: options.isTerminal })
  const host: KronctlHost = {
    clock,
    env: options.env ?? {},
    cwd: '/home/ada',
    home: '/home/ada',
    files: memoryFiles(options.files ?? {}),
    readInput: async () => new TextEncoder().encode(options.input ?? ''),
    writeFile: (path, content) => void written.set(path, content),
    suffix: () => suffixes.shift() ?? 'zzzzz',
    connect: async (choice) => {
      connections.push(choice)
      open++
      const close = async (): Promise<void> => {
        open--
      }
      const reached = options.through?.(api) ?? api
      return { api: reached, namespace: 'shop', server: 'https://kube.example', close }
    },
    ...streams,
  }
  const exitCode = await runKronctl(args, host, options.name)
  const isClosed = open === 0
  return { exitCode, ...output, written, api, connections, isClosed }
}
