import {
  type ManualEntry,
  type ManualProgram,
  manualFiles,
} from '../../packages/command/src/index.ts'
import { krondProgram, krontabProgram } from '../../packages/krond/src/cli/index.ts'
import { memoryHost } from '../../packages/krond/testing/command/memory-host.ts'
import { type KronctlHost, KronctlProgram } from '../../packages/operator/src/kronctl/index.ts'
import { operatorProgram } from '../../packages/operator/src/start/operator-program.ts'
import { kronVersion } from '../../packages/runtime/src/index.ts'
import { createProgram, type Host } from '../../packages/server/src/cli/index.ts'

/** The manual of a package whose programs are in it. */
export interface Manual {
  readonly package: string
  /** By the path in the package. */
  readonly files: ReadonlyMap<string, string>
}

const ignored = (): void => undefined
const host = memoryHost({ now: 0 })
const version = kronVersion

const krontabs: readonly ManualEntry[] = [
  ['/etc/krond.d/*.krontab', 'The krontabs of the system, which are those of root.'],
  [
    '$XDG_CONFIG_HOME/krond/*.krontab',
    'Those of any other user; ~/.config when the variable is not set.',
  ],
]

const state: readonly ManualEntry[] = [
  ['/var/lib/krond', 'State of the system: one file for each job, and the lock of the daemon.'],
  ['$XDG_STATE_HOME/krond', 'That of a user; ~/.local/state when the variable is not set.'],
]

const exitsOfKrond = {
  refused: 'A krontab with errors.',
  unavailable:
    'State that can not be read or written, a lock that another daemon holds, no daemon.',
}

const ofKrond: readonly ManualProgram[] = [
  {
    command: krontabProgram(host, ignored),
    section: 1,
    version,
    exits: exitsOfKrond,
    files: krontabs,
  },
  {
    command: krondProgram(host, ignored),
    section: 8,
    version,
    exits: exitsOfKrond,
    files: [...krontabs, ...state],
  },
]

const ofOperator: readonly ManualProgram[] = [
  {
    command: new KronctlProgram(host as unknown as KronctlHost, 'kronctl', ignored).command,
    section: 1,
    version,
    exits: {
      refused: 'A manifest with errors.',
      unavailable: 'The cluster can not be reached, or refused what was asked.',
    },
    files: [['~/.kube/config', 'Which cluster is meant, unless KUBECONFIG names another file.']],
  },
  {
    command: operatorProgram(host),
    section: 8,
    version,
    exits: { input: 'Arguments that are not understood, or no cluster is configured.' },
  },
]

const ofServer: readonly ManualProgram[] = [
  {
    command: createProgram(host as unknown as Host, ignored),
    section: 1,
    version,
    exits: {
      input: 'Arguments that are not understood, an unknown name, a key that is missing.',
      refused: 'The server refused what was asked.',
      unavailable: 'The server can not be reached, or can not answer now.',
      fatal: 'A run that was waited for failed, the server could not start, anything else.',
    },
    files: [
      ['$XDG_CONFIG_HOME/kron/key', 'The key of the client; ~/.config when it is not set.'],
      ['kron-data/kron.db', 'The embedded database of kron serve, in the folder it starts in.'],
    ],
  },
]

export const manuals: readonly Manual[] = [
  { package: 'krond', files: manualFiles(ofKrond) },
  { package: 'operator', files: manualFiles(ofOperator) },
  { package: 'server', files: manualFiles(ofServer) },
]
