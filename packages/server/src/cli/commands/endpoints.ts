import { countArgument, type ExitCode, exitCodes } from '@kron/command'
import type { Command } from 'commander'
import { type EndpointDocument, listed } from '../client/index.js'
import { acting, type CommandPorts, type Invocation } from '../invocation.js'
import { endpointIdOf, jobIdOf, jobNames } from '../selection.js'
import { endpointColumns, endpointRow } from '../text/endpoint-text.js'
import { type Confirmed, confirm, withConfirmation } from './confirmation.js'
import { addAnswerCommands } from './endpoint-answers.js'
import { addDefinitionCommands } from './endpoint-definition.js'
import { printEndpoint, withEndpoint } from './endpoint-operand.js'
import { addHintCommands } from './hints.js'
import { maxListed, mentionMore, withLimit } from './list-options.js'
import { pauseCommand } from './pause.js'

export function addEndpoints(program: Command, ports: CommandPorts): void {
  const endpoints = program
    .command('endpoints')
    .description('Manage endpoints: what is called, and when')
  const list = endpoints
    .command('list', { isDefault: true })
    .description('List endpoints')
    .option('--job <job>', 'only those of a job')
    .option('--archived', 'only archived ones', false)
  acting(withLimit(list, '200'), ports, listEndpoints)
  acting(withEndpoint(endpoints, 'show', 'Show an endpoint'), ports, showEndpoint)
  addDefinitionCommands(endpoints, ports)
  pauseCommand(endpoints, ports)
  for (const [name, description] of [
    ['resume', 'End a pause, or bring an archived endpoint back'],
    ['archive', 'Archive an endpoint: it stays, with its history, and does not run'],
    ['reset-failures', 'Count failures from 0 again'],
  ] as const) {
    const command = withEndpoint(endpoints, name, description)
    acting(command, ports, (invocation, _, endpoint) => changeEndpoint(invocation, endpoint!, name))
  }
  const remove = withConfirmation(withEndpoint(endpoints, 'delete', 'Delete an endpoint'))
  acting(remove, ports, deleteEndpoint)
  addHintCommands(endpoints, ports)
  addAnswerCommands(endpoints, ports)
}

interface ListOptions {
  readonly job?: string
  readonly archived: boolean
  readonly limit: string
}

async function listEndpoints(invocation: Invocation, options: ListOptions): Promise<ExitCode> {
  const { client } = invocation
  const most = countArgument('--limit', options.limit, maxListed)
  const jobId = options.job === undefined ? undefined : await jobIdOf(client, options.job)
  const query = { jobId, archived: options.archived }
  const { items, more } = await listed<EndpointDocument>(client, '/endpoints', query, most)
  if (invocation.isJson) invocation.printJson(items)
  else if (items.length === 0) {
    invocation.printCells(['no endpoints; kron endpoints create adds one'])
  } else {
    const names = await jobNames(client)
    const rows = items.map((each) => endpointRow(each, names.get(each.jobId) ?? each.jobId))
    invocation.printTable(endpointColumns, rows)
  }
  mentionMore(invocation, more)
  return exitCodes.success
}

async function showEndpoint(invocation: Invocation, _: unknown, endpoint?: string) {
  const id = await endpointIdOf(invocation.client, endpoint!)
  return printEndpoint(invocation, await invocation.client.get(`/endpoints/${id}`))
}

async function changeEndpoint(invocation: Invocation, endpoint: string, change: string) {
  const id = await endpointIdOf(invocation.client, endpoint)
  return printEndpoint(invocation, await invocation.client.post(`/endpoints/${id}/${change}`))
}

async function deleteEndpoint(invocation: Invocation, options: Confirmed, endpoint?: string) {
  confirm(options, `deleting the endpoint ${JSON.stringify(endpoint)} can not be undone`)
  const id = await endpointIdOf(invocation.client, endpoint!)
  await invocation.client.delete(`/endpoints/${id}`)
  if (invocation.isJson) invocation.printJson({ id, deleted: true })
  else invocation.printCells([`deleted ${endpoint}`])
  return exitCodes.success
}
