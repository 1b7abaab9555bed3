import { type Cell, type ExitCode, exitCodes, secondsArgument } from '@kron/command'
import { counted } from '@kron/runtime'
import type { Command } from 'commander'
import { timeArgument } from '../arguments.js'
import { acting, type CommandPorts, type Invocation } from '../invocation.js'

interface ForecastDocument {
  readonly from: string
  readonly endpoints: number
  readonly truncated: boolean
  readonly items: readonly {
    readonly minute: string
    readonly runs: number
    readonly peakSecond: number
    readonly truncated: boolean
  }[]
}

const barWidth = 30

export function addForecast(program: Command, ports: CommandPorts): void {
  const command = program
    .command('forecast')
    .description('Show how many runs each minute will bring')
    .option('--from <time>', 'start, a time or a date (default: now)')
    .option('--for <duration>', 'how long, at most 1d', '1h')
  acting(command, ports, showForecast)
}

async function showForecast(
  invocation: Invocation,
  options: { readonly for: string; readonly from?: string },
): Promise<ExitCode> {
  const minutes = Math.ceil(secondsArgument('--for', options.for, 1_000, 86_400_000) / 60_000)
  const from = options.from === undefined ? undefined : timeArgument('--from', options.from)
  const forecast = await invocation.client.get<ForecastDocument>('/forecast', { minutes, from })
  if (invocation.isJson) invocation.printJson(forecast)
  else printForecast(invocation, forecast)
  return exitCodes.success
}

function printForecast(invocation: Invocation, { items, endpoints, truncated }: ForecastDocument) {
  const total = items.reduce((sum, { runs }) => sum + runs, 0)
  const most = Math.max(1, ...items.map(({ runs }) => runs))
  const runs = `${counted(total, 'run')} of ${counted(endpoints, 'endpoint')}`
  const summary = `${runs} in ${counted(items.length, 'minute')}`
  const busy = items.filter(({ runs }) => runs > 0)
  invocation.printCells([['strong', summary], ...(busy.length === 0 ? [] : [''])])
  if (busy.length > 0) {
    const columns = [
      { title: 'minute (UTC)' },
      { title: 'runs', align: 'right' as const },
      { title: 'in a second', align: 'right' as const },
      { title: '' },
    ]
    const rows = busy.map(({ minute, runs, peakSecond }): Cell[] => [
      minute,
      String(runs),
      String(peakSecond),
      ['accent', '█'.repeat(Math.max(1, Math.round((runs / most) * barWidth)))],
    ])
    invocation.printTable(columns, rows)
  }
  if (truncated) {
    const first = items.find((item) => item.truncated)?.minute
    const where = first === undefined ? '' : ` from ${first} on`
    invocation.note(`there are more runs than a forecast follows; it is incomplete${where}`)
  }
}
