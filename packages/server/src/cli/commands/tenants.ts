import type { Command } from 'commander'
import type { DataArguments } from '../../serve/data-arguments.js'
import { exitCodes } from '../exit-code.js'
import type { Surroundings } from '../hosted-command.js'
import { Output, type OutputOptions } from '../output.js'
import type * as Tenants from '../tenants/index.js'
import { withData } from './data-options.js'

type Act = (
  tenants: typeof Tenants,
  output: Output,
  options: DataArguments,
  operand: string,
) => Promise<void>

/** For operators: on the database itself, without a key and without a server that runs. */
export function addTenants(program: Command, surroundings: Surroundings): void {
  const group = program.command('tenants').description('Tenants, in the database itself')
  const list = group.command('list', { isDefault: true }).description('List tenants')
  onDatabase(list, surroundings, (tenants, output, options) => tenants.listTenants(output, options))
  const create = group
    .command('create')
    .description('Create a tenant; its key and its signing secret are shown this once')
    .argument('<name>', 'whose it is')
  onDatabase(create, surroundings, (tenants, ...given) => tenants.makeTenant(...given))
  const operand = 'name or id of a tenant'
  const show = group
    .command('show')
    .description('Show a tenant, its quotas, and what it keeps')
    .argument('<tenant>', operand)
  onDatabase(show, surroundings, (tenants, ...given) => tenants.showTenant(...given))
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
  onDatabase(quotas, surroundings, (tenants, ...given) => tenants.setQuotas(...given))
  const retention = group
    .command('retention')
    .description('Change how long runs are kept; what is not said stays')
    .argument('<tenant>', operand)
    .option('--run-days <number>', 'days that runs are kept')
    .option('--runs-per-endpoint <number>', 'runs that are kept of an endpoint')
    .option('--body-days <number>', 'days that bodies of responses are kept')
  onDatabase(retention, surroundings, (tenants, ...given) => tenants.setRetention(...given))
}

function onDatabase(command: Command, { host, done }: Surroundings, act: Act): void {
  withData(command).action(async (...given: unknown[]) => {
    const options = command.optsWithGlobals<DataArguments & OutputOptions>()
    const output = new Output(host, options)
    // As with serve: commands of the client start faster without the server.
    await act(await import('../tenants/index.js'), output, options, String(given[0]))
    done(exitCodes.success)
  })
}
