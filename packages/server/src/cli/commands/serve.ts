import { appended } from '@kron/command'
import { type Command, Option } from 'commander'
import type { CommandPorts } from '../invocation.js'
import { withData } from '../serve/data-arguments.js'
import type { ServeArguments } from '../serve/serve-arguments.js'

export function addServe(program: Command, { host, done }: CommandPorts): void {
  const command = program
    .command('serve')
    .description('Run the server: API, workers and planner, in one process or in many')
  withData(command)
    .option('--role <role>', 'api, worker or planner; repeatable (default: all)', appended)
    .option('--host <address>', 'the address to listen on', '127.0.0.1')
    .option(
      '--port <number>',
      'the port; 0 takes any that is free (default: 7077 with the role api, else none)',
    )
    .option(
      '--public-url <url>',
      'the address for browsers; with https, cookies are sent over https only',
    )
    .option(
      '--allow <address>',
      'a private address or range that endpoints may call; repeatable',
      appended,
    )
    .option('--allow-local', 'for a trial: endpoints may call every port of this machine')
    .option('--signup <mode>', 'closed, or open to everybody', 'closed')
    .option(
      '--signup-quotas <list>',
      'quotas of a tenant that signs up, such as endpoints=20,min-interval=1m',
    )
    .option(
      '--system-quotas <list>',
      'quotas of all tenants together, such as runs-per-month=1000000',
    )
    .option('--max-tenants <number>', 'with this many tenants, sign-up is closed', '1000')
    .option('--lost-key', 'start with a new sealing key; headers and secrets must be set again')
    .option('--in-flight <number>', 'runs that a worker has at once', '20000')
    .option('--connections <number>', 'connections to all hosts (default: 512)')
    .option('--per-host <number>', 'connections to one host', '64')
    .option('--database-connections <number>', 'connections to PostgreSQL', '10')
    .option('--restored', 'the database is from a backup: send nothing that was due before now')
    .option('--grace <duration>', 'time for running requests when the server stops', '30s')
    .addOption(new Option('--log-format <format>').hideHelp())
    .option('--log-level <level>', 'debug, info, warn or error', 'info')
    .addHelpText('after', '\n--format is the format of the log.')
    .action(() => {
      // The client's commands need nothing of the server, and start faster without it.
      const options = command.optsWithGlobals<ServeArguments>()
      done(import('../serve/serve.js').then(({ serve }) => serve(options, host)))
    })
}
