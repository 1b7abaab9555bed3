import type { Command } from 'commander'
import type { RunDocument } from '../client/index.js'
import type { ExitCode } from '../exit-code.js'
import { acting, type Surroundings } from '../hosted-command.js'
import type { Invocation } from '../invocation.js'
import { endpointIdOf } from '../selection.js'
import { withEndpoint } from './endpoint-operand.js'
import { printRun } from './run-output.js'
import { type WaitOptions, waitFor, withWait } from './wait-for-run.js'

export function addRunNow(program: Command, surroundings: Surroundings): void {
  const command = withWait(withEndpoint(program, 'run-now', 'Run an endpoint now, beside its plan'))
  acting(command, surroundings, runNow)
}

async function runNow(
  invocation: Invocation,
  options: WaitOptions,
  endpoint?: string,
): Promise<ExitCode> {
  const { client } = invocation
  const id = await endpointIdOf(client, endpoint!)
  const run = await client.post<RunDocument>(`/endpoints/${id}/run`)
  return options.wait ? waitFor(invocation, run, options) : printRun(invocation, run)
}
