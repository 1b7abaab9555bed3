import type { ExitCode } from '@kron/command'
import type { Command } from 'commander'
import { acting, type CommandPorts } from '../acting.js'
import type { RunDocument } from '../client/index.js'
import type { Invocation } from '../invocation.js'
import { endpointIdOf } from '../selection.js'
import { withEndpoint } from './endpoint-operand.js'
import { printRun } from './run-output.js'
import { type WaitOptions, waitFor, withWait } from './wait-for-run.js'

export function addRunNow(program: Command, ports: CommandPorts): void {
  const command = withWait(withEndpoint(program, 'run-now', 'Run an endpoint now; its plan stays'))
  acting(command, ports, runNow)
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
