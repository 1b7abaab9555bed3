import type { Command } from 'commander'
import { maxTtlMinutes } from '../../domain/index.js'
import { badArgument, durationArgument, instantArgument, minutesArgument } from '../argument.js'
import type { ExitCode } from '../exit-code.js'
import { acting, type Surroundings } from '../hosted-command.js'
import type { Invocation } from '../invocation.js'
import { endpointIdOf } from '../selection.js'
import { printEndpoint, withEndpoint } from './endpoint-operand.js'

interface HintOptions {
  readonly every?: string
  readonly at?: string
  readonly ttl?: string
  readonly reason?: string
}

export function addHintCommands(endpoints: Command, surroundings: Surroundings): void {
  const hint = withEndpoint(endpoints, 'hint', 'Run otherwise than the baseline, for a while')
    .option('--every <duration>', 'another interval')
    .option('--at <time>', 'one run at this time')
    .option('--ttl <duration>', 'how long the hint counts (default: 1h, or until --at if later)')
    .option('--reason <text>', 'for people')
  acting(hint, surroundings, hintEndpoint)
  acting(withEndpoint(endpoints, 'clear-hints', 'Take all hints back'), surroundings, clearHints)
}

async function hintEndpoint(
  invocation: Invocation,
  options: HintOptions,
  endpoint?: string,
): Promise<ExitCode> {
  const { every, at, reason } = options
  if ((every === undefined) === (at === undefined)) {
    throw badArgument('a hint has either --every or --at')
  }
  const { client } = invocation
  const [kind, what] =
    every === undefined
      ? (['one-shot', { nextRunAt: instantArgument('--at', at!) }] as const)
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
