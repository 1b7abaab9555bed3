import type { Command } from 'commander'
import { badArgument, durationArgument, instantArgument } from '../argument.js'
import type { ExitCode } from '../exit-code.js'
import { acting, type Surroundings } from '../hosted-command.js'
import type { Invocation } from '../invocation.js'
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
export function pauseCommand(parent: Command, surroundings: Surroundings): void {
  const command = withEndpoint(parent, 'pause', 'Pause an endpoint, for a time or until resumed')
    .option('--until <time>', 'end of the pause, such as 2026-03-01T06:00:00Z')
    .option('--for <duration>', 'length of the pause, such as 90m or 2d')
    .option('--reason <text>', 'for people')
  acting(command, surroundings, pauseEndpoint)
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
    throw badArgument('--until and --for exclude each other')
  }
  if (options.until !== undefined) return instantArgument('--until', options.until)
  if (options.for === undefined) return untilResumed
  return new Date(now + durationArgument('--for', options.for)).toISOString()
}
