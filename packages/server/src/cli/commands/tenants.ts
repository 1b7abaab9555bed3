import type { Command } from 'commander'
import { exitCodes } from '../exit-code.js'
import { appended, type Surroundings } from '../hosted-command.js'
import { Output, type OutputOptions } from '../output.js'
import type { DataArguments } from '../serve/data-arguments.js'
import type * as Tenants from '../tenants/index.js'
import { withData } from './data-options.js'

type Act = (
  output: Output,
  options: DataArguments & { readonly name: string },
  operand: string,
  second: string,
) => Promise<void>

/** For operators: on the database itself, without a key and without a server that runs. */
export function addTenants(program: Command, surroundings: Surroundings): void {
  const group = program.command('tenants').description('Tenants, in the database itself')
  const list = group.command('list', { isDefault: true }).description('List tenants')
  onDatabase(list, surroundings, (tenants) => tenants.listTenants)
  const usage = group
    .command('usage')
    .description('Show what all tenants together have used of the month')
  onDatabase(usage, surroundings, (tenants) => tenants.showSystemUsage)
  const create = group
    .command('create')
    .description('Create a tenant; its key and its signing secret are shown this once')
    .argument('<name>', 'whose it is')
  onDatabase(create, surroundings, (tenants) => tenants.makeTenant)
  const operand = 'name or id of a tenant'
  const show = group
    .command('show')
    .description('Show a tenant, its quotas, and what it keeps')
    .argument('<tenant>', operand)
  onDatabase(show, surroundings, (tenants) => tenants.showTenant)
  const quotas = group
    .command('quotas')
    .description('Change quotas; what is not said stays')
    .argument('<tenant>', operand)
    .option('--endpoints <number>', 'endpoints that are not archived; none is no limit')
    .option('--runs-per-month <number>', 'runs that start in a month; none is no limit')
    .option('--ai-calls-per-month <number>', 'calls of planners that cost')
    .option('--ai-tokens-per-month <number>', 'tokens that they use')
    .option('--requests-per-minute <number>', 'requests to the API')
    .option('--min-interval <duration>', 'no endpoint runs more often; none is no limit')
  onDatabase(quotas, surroundings, (tenants) => tenants.setQuotas)
  const retention = group
    .command('retention')
    .description('Change how long runs are kept; what is not said stays')
    .argument('<tenant>', operand)
    .option('--run-days <number>', 'days that runs are kept')
    .option('--runs-per-endpoint <number>', 'runs that are kept of an endpoint')
    .option('--body-days <number>', 'days that bodies of responses are kept')
  onDatabase(retention, surroundings, (tenants) => tenants.setRetention)
  addRemedies(group, surroundings)
}

/** What operators do when something went wrong. */
function addRemedies(group: Command, surroundings: Surroundings): void {
  const operand = 'name or id of a tenant'
  const newKey = group
    .command('new-key')
    .description('Create an API key for a tenant that has lost its own; it is shown once')
    .argument('<tenant>', operand)
    .option('--name <name>', 'what the key is called', 'operator')
    .option('--scope <scope>', 'read, write, run or admin; repeatable (default: admin)', appended)
    .option('--expires-in <duration>', 'how long it works, such as 7d')
  onDatabase(newKey, surroundings, (tenants) => tenants.newKeyOfTenant)
  const suspend = group
    .command('suspend')
    .description('Refuse the keys of a tenant, plan nothing for it, and cancel its runs')
    .argument('<tenant>', operand)
  onDatabase(suspend, surroundings, (tenants) => tenants.suspendTenantNow)
  const resume = group
    .command('resume')
    .description('End a suspension')
    .argument('<tenant>', operand)
  onDatabase(resume, surroundings, (tenants) => tenants.resumeTenantAgain)
  const rename = group
    .command('rename')
    .description('Give a tenant another name; its id stays')
    .argument('<tenant>', operand)
    .argument('<name>', 'the new name')
  onDatabase(rename, surroundings, (tenants) => tenants.renameTenantTo)
  const remove = group
    .command('delete')
    .description('Delete a tenant with all that it has')
    .argument('<tenant>', operand)
    .option('--yes', 'without asking')
    .option('--confirm <name>', "the tenant's name, instead of --yes")
  onDatabase(remove, surroundings, (tenants) => tenants.removeTenant)
}

function onDatabase(
  command: Command,
  { host, done }: Surroundings,
  act: (tenants: typeof Tenants) => Act,
): void {
  withData(command).action(async (...given: unknown[]) => {
    const options = command.optsWithGlobals<Parameters<Act>[1] & OutputOptions>()
    const output = new Output(host, options)
    // As with serve: commands of the client start faster without the server.
    const chosen = act(await import('../tenants/index.js'))
    await chosen(output, options, String(given[0]), String(given[1]))
    done(exitCodes.success)
  })
}
