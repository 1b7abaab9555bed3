import type { ExitMeanings, ManualEntry, ManualProgram } from '@kron/command'
import { kronVersion } from '@kron/runtime'
import { krondProgram } from '../cli/krond-program.js'
import { memoryHost } from '../cli/memory-host.js'
import { krontabProgram } from '../cli/program.js'

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

const exits: ExitMeanings = {
  unavailable: 'State that can not be read or written, or a lock that another daemon holds.',
}

/** What this package installs, with nothing that depends on the machine it is asked on. */
export function manualPrograms(): readonly ManualProgram[] {
  const host = memoryHost({ now: 0 })
  const ignored = (): void => undefined
  const version = kronVersion
  return [
    { command: krontabProgram(host, ignored), section: 1, version, exits, files: krontabs },
    {
      command: krondProgram(host, ignored),
      section: 8,
      version,
      exits,
      files: [...krontabs, ...state],
    },
  ]
}
