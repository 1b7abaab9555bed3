import type { ExitCode } from '@kron/command'
import type { Command } from 'commander'
import { endpointFields } from '../../domain/endpoint-fields.js'
import type { EndpointDocument } from '../client/index.js'
import { acting, type CommandPorts, type Invocation } from '../invocation.js'
import { endpointIdOf, jobIdOf } from '../selection.js'
import {
  type DefinitionOptions,
  definitionOf,
  headersOf,
  helpOf,
  withDefinition,
} from './definition-options.js'
import { printEndpoint, withEndpoint } from './endpoint-operand.js'

const { url } = endpointFields

export function addDefinitionCommands(endpoints: Command, ports: CommandPorts): void {
  const create = endpoints
    .command('create')
    .description('Create an endpoint')
    .argument('<name>', 'the name of the endpoint, unique in the job')
    .requiredOption('--job <job>', 'the job that the endpoint belongs to, by name or id')
    .requiredOption(url.option, helpOf(url.text))
  acting(withDefinition(create), ports, createEndpoint)
  const update = withEndpoint(
    endpoints,
    'update',
    'Change an endpoint; fields that are not named stay',
  )
    .option('--name <name>', 'the new name')
    .option(url.option, helpOf(url.text))
  acting(withDefinition(update), ports, updateEndpoint)
}

async function createEndpoint(
  invocation: Invocation,
  options: DefinitionOptions & { readonly job: string; readonly url: string },
  name?: string,
): Promise<ExitCode> {
  const { client, host } = invocation
  const definition = await definitionOf(options, host)
  const headers = headersOf(options, {})
  const body = { name, ...definition, ...(headers !== null && { headers }) }
  const jobId = await jobIdOf(client, options.job)
  return printEndpoint(invocation, await client.post(`/jobs/${jobId}/endpoints`, body))
}

async function updateEndpoint(
  invocation: Invocation,
  options: DefinitionOptions & { readonly name?: string },
  endpoint?: string,
): Promise<ExitCode> {
  const { client, host } = invocation
  const definition = await definitionOf(options, host)
  const id = await endpointIdOf(client, endpoint!)
  const headers = await changedHeaders(invocation, options, id)
  const body = {
    ...(options.name !== undefined && { name: options.name }),
    ...otherBaseline(definition),
    ...definition,
    ...(headers !== null && { headers }),
  }
  return printEndpoint(invocation, await client.patch(`/endpoints/${id}`, body))
}

/** The API replaces headers as a whole; a value that it shows masked stays what it is. */
async function changedHeaders(
  { client }: Invocation,
  options: DefinitionOptions,
  id: string,
): Promise<Readonly<Record<string, string>> | null> {
  if (options.header === undefined) return null
  const { headers } = await client.get<EndpointDocument>(`/endpoints/${id}`)
  return headersOf(options, headers)
}

/** Who names a new baseline does not want the other one any more. */
function otherBaseline(definition: Readonly<Record<string, unknown>>): Record<string, null> {
  if ('cron' in definition) return { intervalMs: null, jitterMs: null }
  return 'intervalMs' in definition ? { cron: null, timezone: null } : {}
}
