import { appended, type ExitCode } from '@kron/command'
import type { Command } from 'commander'
import { acting, type CommandPorts } from '../acting.js'
import type { EndpointDocument } from '../client/index.js'
import type { Invocation } from '../invocation.js'
import { endpointIdOf, jobIdOf } from '../selection.js'
import { type DefinitionOptions, definitionOf, headersOf } from './definition-options.js'
import { printEndpoint, withEndpoint } from './endpoint-operand.js'

export function addDefinitionCommands(endpoints: Command, ports: CommandPorts): void {
  const create = endpoints
    .command('create')
    .description('Create an endpoint')
    .argument('<name>', 'the name of the endpoint, unique in the job')
    .requiredOption('--job <job>', 'the job that the endpoint belongs to, by name or id')
    .requiredOption('--url <url>', 'the URL to call')
  acting(withDefinition(create), ports, createEndpoint)
  const update = withEndpoint(
    endpoints,
    'update',
    'Change an endpoint; fields that are not named stay',
  )
    .option('--name <name>', 'the new name')
    .option('--url <url>', 'the URL to call')
  acting(withDefinition(update), ports, updateEndpoint)
}

function withDefinition(command: Command): Command {
  return command
    .option('--cron <schedule>', 'when: a cron expression with modifiers, in quotes')
    .option('--every <duration>', 'when: an interval such as 5m')
    .option('--timezone <zone>', 'the zone of the schedule, such as Europe/Paris')
    .option('--jitter <duration>', 'up to this much is added to an interval')
    .option('--min <duration>', 'the shortest time from one run to the next')
    .option('--max <duration>', 'the longest time from one run to the next')
    .option('--method <method>', 'GET, POST, ...')
    .option('--header <name: value>', 'a header; an empty value removes it; repeatable', appended)
    .option('--json <text>', 'a JSON body; - reads standard input')
    .option('--text <text>', 'a text body; - reads standard input')
    .option('--timeout <duration>', 'for the whole request')
    .option('--deadline <duration>', 'how late a run may start')
    .option('--attempts <number>', 'attempts of one run, with the first')
    .option('--concurrency <policy>', 'forbid, allow or replace')
    .option('--planner <switch>', 'off, suggest or on')
    .option('--secret <name>', 'the secret that signs requests')
    .option('--description <text>', 'a note for people')
    .option('--set <field=json>', 'any other field of the API; null clears; repeatable', appended)
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
