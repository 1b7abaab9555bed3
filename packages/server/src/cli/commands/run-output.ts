import { CommandFailure, durationArgument, type ExitCode, exitCodes } from '@kron/command'
import type { Command } from 'commander'
import type { EndpointDocument, RunDocument } from '../client/index.js'
import type { Invocation } from '../invocation.js'
import { runDetails } from '../text/run-text.js'

export async function printRun(invocation: Invocation, run: RunDocument): Promise<ExitCode> {
  if (invocation.isJson) invocation.printJson(run)
  else invocation.printDetails(runDetails(run, await nameOf(invocation, run), invocation.now))
  return exitCodes.success
}

/** Runs outlive their endpoint. */
async function nameOf({ client }: Invocation, { endpointId }: RunDocument): Promise<string> {
  const path = `/endpoints/${endpointId}`
  return client.get<EndpointDocument>(path).then(
    ({ name }) => name,
    () => 'deleted',
  )
}

export interface WaitOptions {
  readonly wait: boolean
  readonly timeout: string
}

export const withWait = (command: Command): Command =>
  command
    .option('--wait', 'wait for the end of the run; exit with 4 unless it succeeds', false)
    .option('--timeout <duration>', 'how long to wait', '15m')

const firstPollMs = 100
const longestPollMs = 2_000

/** Asks again and again, less and less often. */
export async function waitFor(
  invocation: Invocation,
  started: RunDocument,
  { timeout }: WaitOptions,
): Promise<ExitCode> {
  const { client, host } = invocation
  const now = (): number => host.clock.now().getTime()
  const until = now() + durationArgument('--timeout', timeout)
  let run = started
  let pollMs = firstPollMs
  while (run.status === 'pending' || run.status === 'running') {
    if (now() >= until) throw stillUnderWay(run)
    await host.clock.sleep(pollMs, host.interrupted).catch(() => {
      throw new CommandFailure(exitCodes.unavailable, `interrupted; ${run.id} goes on`)
    })
    pollMs = Math.min(longestPollMs, pollMs * 1.5)
    run = await client.get<RunDocument>(`/runs/${run.id}`)
  }
  await printRun(invocation, run)
  return run.status === 'success' ? exitCodes.success : exitCodes.fatal
}

function stillUnderWay({ id, status }: RunDocument): CommandFailure {
  const hints =
    status === 'pending'
      ? ['hint: does a worker run? kron serve starts one']
      : [`kron runs show ${id}`]
  return new CommandFailure(exitCodes.unavailable, `${id} is still ${status}`, hints)
}
