import { type ExitCode, exitCodes } from '@kron/command'
import type { Command } from 'commander'
import type { EndpointDocument, JobDocument } from '../client/index.js'
import type { Invocation } from '../invocation.js'
import { endpointDetails } from '../text/endpoint-text.js'

export const withEndpoint = (parent: Command, name: string, description: string): Command =>
  parent
    .command(name)
    .description(description)
    .argument('<endpoint>', 'name or id of an endpoint, or <job>/<name>')

/** What became of an endpoint, as all commands that change one show it. */
export async function printEndpoint(
  invocation: Invocation,
  endpoint: EndpointDocument,
): Promise<ExitCode> {
  if (invocation.isJson) invocation.printJson(endpoint)
  else {
    const job = await invocation.client.get<JobDocument>(`/jobs/${endpoint.jobId}`)
    invocation.printDetails(endpointDetails(endpoint, job.name, invocation.now))
  }
  return exitCodes.success
}
