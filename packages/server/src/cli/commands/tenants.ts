import { appended, type ExitCode, exitCodes, type OutputOptions } from '@kron/command'
import type { Command } from 'commander'
import { type CommandPorts, Output } from '../invocation.js'
import { type DataArguments, withData } from '../serve/data-arguments.js'
import type * as Tenants from '../tenants/index.js'

type Act = (
  output: Output,
  options: DataArguments & { readonly name: string },
  operand: string,
  second: string,
) => Promise<void>

/** For operators: on the database itself, without a key and without a server that runs. */
export function addTenants(program: Command, ports: CommandPorts): void {
  const group = program
    .command('tenants')
    .description('Manage tenants in the database itself, without a server')
  const list = group.command('list', { isDefault: true }).description('List tenants')
  onDatabase(list, ports, (tenants) => tenants.listTenants)
  const usage = group.command('usage').description('Show what all tenants together used this month')
  onDatabase(usage, ports, (tenants) => tenants.showSystemUsage)
  const create = group
    .command('create')
    .description('Create a tenant, and show its key and its signing secret once')
    .argument('<name>', 'the name of the tenant')
  onDatabase(create, ports, (tenants) => tenants.makeTenant)
  const show = withTenant(group, 'show', 'Show a tenant, its quotas, and what it keeps')
  onDatabase(show, ports, (tenants) => tenants.showTenant)
  const quotas = withTenant(group, 'quotas', 'Change quotas; those that are not named stay')
    .option('--endpoints <number>', 'endpoints, without those that are archived; none for no limit')
    .option('--runs-per-month <number>', 'runs that start in a month; none for no limit')
    .option('--ai-calls-per-month <number>', 'paid calls of planners in a month; none for no limit')
    .option('--ai-tokens-per-month <number>', 'tokens of these calls; none for no limit')
    .option('--requests-per-minute <number>', 'requests to the API in a minute; none for no limit')
    .option('--min-interval <duration>', 'the shortest interval of an endpoint; none for no limit')
  onDatabase(quotas, ports, (tenants) => tenants.setQuotas)
  const retention = withTenant(
    group,
    'retention',
    'Change how long runs are kept; what is not named stays',
  )
    .option('--run-days <number>', 'days that runs are kept')
    .option('--runs-per-endpoint <number>', 'runs of each endpoint that are kept')
    .option('--body-days <number>', 'days that bodies of responses are kept')
  onDatabase(retention, ports, (tenants) => tenants.setRetention)
  addRemedies(group, ports)
}

const withTenant = (group: Command, name: string, description: string): Command =>
  group.command(name).description(description).argument('<tenant>', 'name or id of a tenant')

/** What operators do when something went wrong. */
function addRemedies(group: Command, ports: CommandPorts): void {
  const newKey = withTenant(
    group,
    'new-key',
    'Create an API key for a tenant that lost its own, and show it once',
  )
    .option('--name <name>', 'the name of the key', 'operator')
    .option('--scope <scope>', 'read, write, run or admin; repeatable (default: admin)', appended)
    .option('--expires-in <duration>', 'how long the key works, such as 7d')
  onDatabase(newKey, ports, (tenants) => tenants.newKeyOfTenant)
  const suspend = withTenant(
    group,
    'suspend',
    'Refuse the keys of a tenant, plan nothing for it, and cancel its runs',
  )
  onDatabase(suspend, ports, (tenants) => tenants.suspendTenantNow)
  const resume = withTenant(group, 'resume', 'End a suspension')
  onDatabase(resume, ports, (tenants) => tenants.resumeTenantAgain)
  const rename = withTenant(group, 'rename', 'Rename a tenant; its id stays').argument(
    '<name>',
    'the new name',
  )
  onDatabase(rename, ports, (tenants) => tenants.renameTenantTo)
  const remove = withTenant(
    group,
    'delete',
    'Delete a tenant with its jobs, endpoints, runs, keys and secrets',
  )
    .option('--yes', 'confirm the deletion')
    .option('--confirm <name>', "the tenant's name, instead of --yes")
  onDatabase(remove, ports, (tenants) => tenants.removeTenant)
}

function onDatabase(
  command: Command,
  { host, done }: CommandPorts,
  act: (tenants: typeof Tenants) => Act,
): void {
  const work = async (operand: string, second: string): Promise<ExitCode> => {
    const options = command.optsWithGlobals<Parameters<Act>[1] & OutputOptions>()
    const output = new Output(host, options)
    // As with serve: commands of the client start faster without the server.
    const chosen = act(await import('../tenants/index.js'))
    await chosen(output, options, operand, second)
    return exitCodes.success
  }
  withData(command).action((...given: unknown[]) => done(work(String(given[0]), String(given[1]))))
}
