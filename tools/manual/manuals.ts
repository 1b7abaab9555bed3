import { type ManualProgram, manualFiles } from '../../packages/command/src/index.ts'
import { memoryHost } from '../../packages/krond/src/index.ts'
import { type KronctlHost, KronctlProgram } from '../../packages/operator/src/kronctl/index.ts'
import { operatorProgram } from '../../packages/operator/src/start/operator-program.ts'
import type { StartPorts } from '../../packages/operator/src/start/start-command.ts'
import { kronVersion } from '../../packages/runtime/src/index.ts'
import { createProgram, type Host } from '../../packages/server/src/cli/index.ts'

/** The manual of a package whose programs are in it. That of krond is made in its own folder. */
export interface Manual {
  readonly package: string
  /** By the path in the package. */
  readonly files: ReadonlyMap<string, string>
}

const ignored = (): void => undefined
const host = memoryHost({ now: 0 })
const version = kronVersion

const ofOperator: readonly ManualProgram[] = [
  {
    command: new KronctlProgram(host as unknown as KronctlHost, 'kronctl', ignored).command,
    section: 1,
    version,
    exits: {
      configuration: 'A manifest with errors.',
      unavailable: 'The cluster can not be reached, or refused what was asked.',
    },
    files: [['~/.kube/config', 'Which cluster is meant, unless KUBECONFIG names another file.']],
  },
  {
    command: operatorProgram(host, {} as StartPorts, ignored),
    section: 8,
    version,
    exits: { input: 'Arguments that are not understood, or no cluster is configured.' },
  },
]

const ofServer: readonly ManualProgram[] = [
  {
    command: createProgram(host as unknown as Host),
    section: 1,
    version,
    exits: {
      input: 'Arguments that are not understood, an unknown name, a key that is missing.',
      configuration: 'The server refused what was asked.',
      unavailable: 'The server can not be reached, or can not answer now.',
      fatal: 'A run that was waited for failed, the server could not start, anything else.',
    },
    files: [
      ['$XDG_CONFIG_HOME/kron/key', 'The key of the client; ~/.config when it is not set.'],
      ['kron-data/kron.db', 'The embedded database of kron serve, in the folder it starts in.'],
    ],
  },
]

/** kron has no completion yet. */
const isPage = ([path]: readonly [string, string]): boolean => path.startsWith('man/')

export const manuals: readonly Manual[] = [
  { package: 'operator', files: manualFiles(ofOperator) },
  { package: 'server', files: new Map([...manualFiles(ofServer)].filter(isPage)) },
]
