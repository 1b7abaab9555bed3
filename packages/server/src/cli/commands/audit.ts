import { type Cell, countArgument, type ExitCode, exitCodes } from '@kron/command'
import type { Command } from 'commander'
import { type AuditDocument, listed } from '../client/index.js'
import { acting, type CommandPorts, type Invocation } from '../invocation.js'
import { maxListed, mentionMore, withLimit } from './list-options.js'

const columns = [
  { title: 'at (UTC)' },
  { title: 'who' },
  { title: 'what' },
  { title: 'subject' },
  { title: 'change' },
]

export function addAudit(program: Command, ports: CommandPorts): void {
  const command = program
    .command('audit')
    .description('Show who changed what, the newest first')
    .option('--subject <id>', 'only changes of this job, endpoint, key, ...')
  acting(withLimit(command, '50'), ports, showAudit)
}

async function showAudit(
  invocation: Invocation,
  options: { readonly subject?: string; readonly limit: string },
): Promise<ExitCode> {
  const most = countArgument('--limit', options.limit, maxListed)
  const { subject } = options
  const found = await listed<AuditDocument>(invocation.client, '/audit', { subject }, most)
  if (invocation.isJson) invocation.printJson(found.items)
  else if (found.items.length === 0) invocation.printCells(['no changes'])
  else invocation.printTable(columns, found.items.map(row))
  mentionMore(invocation, found.more)
  return exitCodes.success
}

const row = (entry: AuditDocument): Cell[] => [
  entry.at,
  entry.actor,
  entry.action,
  entry.subject,
  changeText(entry),
]

/** Of a change the fields that differ; of anything else the reason. */
function changeText({ before, after, reason }: AuditDocument): string {
  const tail = reason === null ? '' : `${reason}`
  if (!isFields(before) || !isFields(after)) return tail
  const changes = Object.keys(after).map(
    (name) => `${name}: ${short(before[name])} -> ${short(after[name])}`,
  )
  return [...changes, ...(tail === '' ? [] : [tail])].join('; ')
}

const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const longestValue = 40

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null'
  return text.length <= longestValue ? text : `${text.slice(0, longestValue)}…`
}
