import type { Command } from 'commander'
import { appended, type Surroundings } from '../hosted-command.js'
import { withData } from './data-options.js'

export function addServe(program: Command, { host, done }: Surroundings): void {
  const command = program
    .command('serve')
    .description('Run the server: API, workers and planner, in one process or in many')
  withData(command)
    .option('--role <role>', 'api, worker or planner; may be repeated (default: all)', appended)
    .option('--host <address>', 'where it listens', '127.0.0.1')
    .option('--port <number>', 'its port; 0 takes any (default: 7077 with the role api, else none)')
    .option('--public-url <url>', 'where people reach it; with https, cookies need it')
    .option('--allow <address>', 'a private address or range that may be called', appended)
    .option('--allow-local', 'for trying: let endpoints call every port of this machine')
    .option('--signup <mode>', 'closed, or open for anybody', 'closed')
    .option('--signup-quotas <list>', 'of who signs up, such as endpoints=20,min-interval=1m')
    .option('--system-quotas <list>', 'of all tenants together, such as runs-per-month=1000000')
    .option('--max-tenants <number>', 'with this many nobody can sign up', '1000')
    .option('--lost-key', 'start with a new sealing key; headers and secrets must be set again')
    .option('--in-flight <number>', 'runs that a worker has at once', '20000')
    .option('--connections <number>', 'connections to all hosts (default: 512)')
    .option('--per-host <number>', 'connections to one host', '64')
    .option('--database-connections <number>', 'connections to PostgreSQL', '10')
    .option('--restored', 'the database comes from a backup: send nothing that was due before now')
    .option('--grace <duration>', 'time for runs under way when it stops', '30s')
    .option('--log-format <format>', 'text or json', 'text')
    .option('--log-level <level>', 'debug, info, warn or error', 'info')
    .action(async (options) => {
      // The client's commands need nothing of the server, and start faster without it.
      const { serve } = await import('../serve/serve.js')
      done(await serve(options, host))
    })
}
