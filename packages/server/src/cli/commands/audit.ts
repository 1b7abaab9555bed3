import type { Command } from 'commander'
import { countArgument } from '../argument.js'
import { type AuditDocument, listed } from '../client/index.js'
import { type ExitCode, exitCodes } from '../exit-code.js'
import { acting, type Surroundings } from '../hosted-command.js'
import type { Cell, Invocation } from '../invocation.js'
import { maxListed, mentionMore } from './list-options.js'

const columns = [
  { title: 'at (UTC)' },
  { title: 'who' },
  { title: 'what' },
  { title: 'subject' },
  { title: 'change' },
]

export function addAudit(program: Command, surroundings: Surroundings): void {
  const command = program
    .command('audit')
    .description('Show who changed what, the newest first')
    .option('--subject <id>', 'only changes of this job, endpoint, key, ...')
    .option('-n, --count <number>', 'how many at most', '50')
  acting(command, surroundings, showAudit)
}

async function showAudit(
  invocation: Invocation,
  options: { readonly subject?: string; readonly count: string },
): Promise<ExitCode> {
  const most = countArgument('--count', options.count, maxListed)
  const { subject } = options
  const found = await listed<AuditDocument>(invocation.client, '/audit', { subject }, most)
  if (invocation.isJson) invocation.printJson(found.items)
  else if (found.items.length === 0) invocation.printLines(['no changes'])
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
