import { type ExitCode, exitCodes } from '@kron/command'
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
