import { ExecutionError, formatInstant, quote } from '@kron/core'
import type { StartRequest } from '../processes.js'
import { searchPath } from '../spawn/spawner.js'

export const defaultShell = '/bin/sh'

/** Of the user that a job without an account runs as. */
export interface OwnUser {
  readonly name: string
  readonly home: string
}

const reservedPrefix = 'krond_gate_'

/** All that the job finds in its environment; nothing comes from this process. */
export function jobEnvironment(start: StartRequest, own: OwnUser): Record<string, string> {
  const { name, home } = start.settings.account ?? own
  const environment = {
    HOME: home,
    LOGNAME: name,
    USER: name,
    SHELL: defaultShell,
    PATH: searchPath,
    ...start.settings.env,
    KRON_IDENTITY: start.identity,
    KRON_NAME: start.name,
    ...periodVariables(start.period),
  }
  for (const [variable, value] of Object.entries(environment)) check(variable, value)
  return environment
}

function periodVariables(period: StartRequest['period']): Record<string, string> {
  if (period === null) return {}
  const nominal = formatInstant(period.nominal)
  return {
    KRON_PERIOD_ID: nominal,
    KRON_NOMINAL_TIME: nominal,
    KRON_CHOSEN_TIME: formatInstant(period.chosen),
  }
}

/** A shell passes on only what it could have set itself. */
function check(variable: string, value: string): void {
  if (!/^[A-Za-z_]\w*$/.test(variable) || variable.startsWith(reservedPrefix)) {
    throw refused(
      `the environment can't have ${quote(variable)}`,
      `names of letters, digits and _, not beginning with ${reservedPrefix}`,
      variable,
    )
  }
  if (value.includes('\0')) {
    throw refused(`the variable ${variable} has a zero byte`, 'text without zero bytes', variable)
  }
}

function refused(message: string, allowed: string, variable: string): ExecutionError {
  const details = { field: 'env', value: variable, allowed }
  return new ExecutionError('KRON_EXECUTION', `${message}, allowed are ${allowed}`, details)
}
