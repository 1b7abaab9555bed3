import {
  appended,
  cleanLines,
  countArgument,
  type ExitCode,
  exitCodes,
  withAlias,
} from '@kron/command'
import type { Command } from 'commander'
import { timeArgument } from '../arguments.js'
import { listed, type Query, type RunDocument } from '../client/index.js'
import { acting, type CommandPorts, type Invocation } from '../invocation.js'
import { checkRunId, endpointIdOf, endpointNames, jobIdOf } from '../selection.js'
import { runColumns, runRow } from '../text/run-text.js'
import { withEndpoint } from './endpoint-operand.js'
import { followRuns } from './follow-runs.js'
import { maxListed, mentionMore, withLimit } from './list-options.js'
import { printRun, type WaitOptions, waitFor, withWait } from './run-output.js'

interface ListOptions {
  readonly endpoint?: string
  readonly job?: string
  readonly status?: readonly string[]
  readonly source?: string
  readonly from?: string
  readonly until?: string
  readonly limit: string
  readonly follow: boolean
}

export function addRuns(program: Command, ports: CommandPorts): void {
  const runs = program.command('runs').description('Show runs: what was called, and how it went')
  const list = runs
    .command('list', { isDefault: true })
    .description('List runs, the newest first')
    .option('--endpoint <endpoint>', 'only those of an endpoint')
    .option('--job <job>', 'only those of a job')
    .option('--status <status>', 'only those of this status; repeatable', appended)
    .option('--source <source>', 'only those from this source, such as manual or baseline-cron')
    .option('--from <time>', 'scheduled for this time or later')
    .option('--until <time>', 'scheduled before this time')
    .option('--follow', 'then show runs as they start and end, until Ctrl-C', false)
  acting(withAlias(withLimit(list, '20'), '--before', '--until'), ports, listRuns)
  const show = withRun(runs, 'show', 'Show a run').option(
    '--body',
    'only the body of the response, as it came',
    false,
  )
  acting(show, ports, showRun)
  const cancel = withRun(runs, 'cancel', 'Cancel a run that is pending or running')
  acting(cancel, ports, cancelRun)
  const replay = withWait(withRun(runs, 'replay', 'Run again, with the endpoint as it is now'))
  acting(replay, ports, replayRun)
}

const withRun = (runs: Command, name: string, description: string): Command =>
  runs.command(name).description(description).argument('<run>', 'id of a run')

async function listRuns(invocation: Invocation, options: ListOptions): Promise<ExitCode> {
  const { client } = invocation
  const most = countArgument('--limit', options.limit, maxListed)
  const query = await queryOf(invocation, options)
  // Before the list is read, so that no run falls between the two.
  const events = options.follow ? await client.events() : null
  const { items, more } = await listed<RunDocument>(client, '/runs', query, most)
  const names = await endpointNames(client)
  if (events !== null) return followRuns(invocation, events, query, [...items].reverse(), names)
  if (invocation.isJson) invocation.printJson(items)
  else if (items.length === 0) invocation.printCells(['no runs'])
  else {
    const rows = items.map((run) => runRow(run, names.get(run.endpointId) ?? run.endpointId))
    invocation.printTable(runColumns, rows)
  }
  mentionMore(invocation, more)
  return exitCodes.success
}

async function queryOf({ client }: Invocation, options: ListOptions): Promise<Query> {
  const { endpoint, job, status, source, from, until } = options
  return {
    endpointId: endpoint === undefined ? undefined : await endpointIdOf(client, endpoint),
    jobId: job === undefined ? undefined : await jobIdOf(client, job),
    status,
    source,
    from: from === undefined ? undefined : timeArgument('--from', from),
    before: until === undefined ? undefined : timeArgument('--until', until),
  }
}

async function showRun(
  invocation: Invocation,
  options: { readonly body: boolean },
  run?: string,
): Promise<ExitCode> {
  const path = `/runs/${checkRunId(run!)}`
  if (options.body) return showBody(invocation, path)
  return printRun(invocation, await invocation.client.get<RunDocument>(path))
}

/** A stranger's bytes: as they came to a file or a pipe, made harmless on a terminal. */
async function showBody({ client, host }: Invocation, path: string): Promise<ExitCode> {
  const text = new TextDecoder().decode(await client.getBytes(`${path}/body`))
  host.stdout.write(host.stdout.isTerminal ? `${cleanLines(text).join('\n')}\n` : text)
  return exitCodes.success
}

async function cancelRun(invocation: Invocation, _: unknown, run?: string): Promise<ExitCode> {
  const path = `/runs/${checkRunId(run!)}/cancel`
  return printRun(invocation, await invocation.client.post<RunDocument>(path))
}

async function replayRun(
  invocation: Invocation,
  options: WaitOptions,
  run?: string,
): Promise<ExitCode> {
  const path = `/runs/${checkRunId(run!)}/replay`
  const started = await invocation.client.post<RunDocument>(path)
  return options.wait ? waitFor(invocation, started, options) : printRun(invocation, started)
}

export function addRunNow(program: Command, ports: CommandPorts): void {
  const command = withWait(withEndpoint(program, 'run-now', 'Run an endpoint now; its plan stays'))
  acting(command, ports, runNow)
}

async function runNow(
  invocation: Invocation,
  options: WaitOptions,
  endpoint?: string,
): Promise<ExitCode> {
  const { client } = invocation
  const id = await endpointIdOf(client, endpoint!)
  const run = await client.post<RunDocument>(`/endpoints/${id}/run`)
  return options.wait ? waitFor(invocation, run, options) : printRun(invocation, run)
}
