import { badArgument, durationArgument, type ExitCode } from '@kron/command'
import type { Command } from 'commander'
import { timeArgument } from '../arguments.js'
import { acting, type CommandPorts, type Invocation } from '../invocation.js'
import { endpointIdOf } from '../selection.js'
import { printEndpoint, withEndpoint } from './endpoint-operand.js'

/** A pause without an end, for all that anybody here will see of it. */
const untilResumed = '9999-12-31T23:59:59Z'

interface PauseOptions {
  readonly until?: string
  readonly for?: string
  readonly reason?: string
}

/** `kron pause` and `kron endpoints pause` are the same. */
export function pauseCommand(parent: Command, ports: CommandPorts): void {
  const command = withEndpoint(parent, 'pause', 'Pause an endpoint, for a time or until resumed')
    .option('--until <time>', 'end of the pause, a time or a date')
    .option('--for <duration>', 'length of the pause, such as 90m or 2d')
    .option('--reason <text>', 'a note for people')
  acting(command, ports, pauseEndpoint)
}

async function pauseEndpoint(
  invocation: Invocation,
  options: PauseOptions,
  endpoint?: string,
): Promise<ExitCode> {
  const pausedUntil = endOf(options, invocation.now)
  const { client } = invocation
  const id = await endpointIdOf(client, endpoint!)
  const { reason } = options
  const body = { pausedUntil, ...(reason !== undefined && { reason }) }
  return printEndpoint(invocation, await client.post(`/endpoints/${id}/pause`, body))
}

function endOf(options: PauseOptions, now: number): string {
  if (options.until !== undefined && options.for !== undefined) {
    throw badArgument('--until', '--until and --for exclude each other')
  }
  if (options.until !== undefined) return timeArgument('--until', options.until)
  if (options.for === undefined) return untilResumed
  return new Date(now + durationArgument('--for', options.for)).toISOString()
}
