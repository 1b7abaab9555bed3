import { badArgument, durationArgument, type ExitCode } from '@kron/command'
import type { Command } from 'commander'
import { maxTtlMinutes } from '../../domain/plan.js'
import { minutesArgument, timeArgument } from '../arguments.js'
import { acting, type CommandPorts, type Invocation } from '../invocation.js'
import { endpointIdOf } from '../selection.js'
import { printEndpoint, withEndpoint } from './endpoint-operand.js'

interface HintOptions {
  readonly every?: string
  readonly at?: string
  readonly ttl?: string
  readonly reason?: string
}

export function addHintCommands(endpoints: Command, ports: CommandPorts): void {
  const hint = withEndpoint(endpoints, 'hint', 'Change when an endpoint runs, for a while')
    .option('--every <duration>', 'run at this interval')
    .option('--at <time>', 'run once at this time')
    .option('--ttl <duration>', 'how long the hint is valid (default: 1h, or until --at if later)')
    .option('--reason <text>', 'a note for people')
  acting(hint, ports, hintEndpoint)
  acting(withEndpoint(endpoints, 'clear-hints', 'Remove all hints'), ports, clearHints)
}

async function hintEndpoint(
  invocation: Invocation,
  options: HintOptions,
  endpoint?: string,
): Promise<ExitCode> {
  const { every, at, reason } = options
  if ((every === undefined) === (at === undefined)) {
    throw badArgument('--every', 'a hint has either --every or --at')
  }
  const { client } = invocation
  const [kind, what] =
    every === undefined
      ? (['one-shot', { nextRunAt: timeArgument('--at', at!) }] as const)
      : (['interval', { intervalMs: durationArgument('--every', every) }] as const)
  const ttlMinutes =
    options.ttl === undefined
      ? defaultTtlMinutes('nextRunAt' in what ? Date.parse(what.nextRunAt) : null, invocation)
      : minutesArgument('--ttl', options.ttl)
  const common = { ttlMinutes, ...(reason !== undefined && { reason }) }
  const id = await endpointIdOf(client, endpoint!)
  const changed = await client.put(`/endpoints/${id}/hints/${kind}`, { ...what, ...common })
  return printEndpoint(invocation, changed as never)
}

/** A hint must not end before its run. A minute more, for a server whose clock is behind ours. */
function defaultTtlMinutes(at: number | null, { host }: Invocation): number {
  if (at === null) return 60
  const untilRun = Math.ceil((at - host.clock.now().getTime()) / 60_000) + 1
  return Math.min(Math.max(60, untilRun), maxTtlMinutes)
}

async function clearHints(invocation: Invocation, _: unknown, endpoint?: string) {
  const id = await endpointIdOf(invocation.client, endpoint!)
  return printEndpoint(invocation, await invocation.client.delete(`/endpoints/${id}/hints`))
}
