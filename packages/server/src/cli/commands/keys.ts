import {
  appended,
  badArgument,
  type Cell,
  durationArgument,
  type ExitCode,
  exitCodes,
} from '@kron/command'
import type { Command } from 'commander'
import { timeArgument } from '../arguments.js'
import { type KeyDocument, listed } from '../client/index.js'
import { acting, type CommandPorts, type Invocation } from '../invocation.js'
import { keyIdOf } from '../selection.js'
import { whenText } from '../text/distance.js'
import { maxListed } from './list-options.js'

const columns = [
  { title: 'key' },
  { title: 'begins with' },
  { title: 'scopes' },
  { title: 'state' },
  { title: 'last use' },
  { title: 'id' },
]

interface CreateOptions {
  readonly scope?: readonly string[]
  readonly expires?: string
  readonly expiresIn?: string
}

export function addKeys(program: Command, ports: CommandPorts): void {
  const keys = program.command('keys').description('Manage API keys')
  const list = keys.command('list', { isDefault: true }).description('List API keys')
  acting(list, ports, listKeys)
  const create = keys
    .command('create')
    .description('Create an API key, and show it once')
    .argument('<name>', 'the name of the key')
    .option('--scope <scope>', 'read, write, run or admin; repeatable', appended)
    .option('--expires <time>', 'a time or date when the key stops working')
    .option('--expires-in <duration>', 'how long the key works, such as 90d')
  acting(create, ports, createKey)
  const operand = 'name, id or first characters of a key'
  const show = keys.command('show').description('Show an API key').argument('<key>', operand)
  acting(show, ports, showKey)
  const revoke = keys.command('revoke').description('Revoke a key').argument('<key>', operand)
  acting(revoke, ports, revokeKey)
}

async function listKeys(invocation: Invocation): Promise<ExitCode> {
  const { items } = await listed<KeyDocument>(invocation.client, '/keys', {}, maxListed)
  if (invocation.isJson) invocation.printJson(items)
  else
    invocation.printTable(
      columns,
      items.map((key) => row(key, invocation.now)),
    )
  return exitCodes.success
}

const row = (key: KeyDocument, now: number): Cell[] => [
  key.name,
  key.prefix,
  key.scopes.join(' '),
  stateCell(key, now),
  key.lastUsedAt ?? 'never',
  ['faint', key.id],
]

function stateCell({ revokedAt, expiresAt }: KeyDocument, now: number): Cell {
  if (revokedAt !== null) return ['faint', 'revoked']
  if (expiresAt === null) return ['good', 'valid']
  return Date.parse(expiresAt) <= now ? ['warning', 'expired'] : ['good', `until ${expiresAt}`]
}

async function createKey(
  invocation: Invocation,
  options: CreateOptions,
  name?: string,
): Promise<ExitCode> {
  const expiresAt = expiryOf(options, invocation.now)
  const body = { name, scopes: options.scope ?? ['read'], ...(expiresAt !== null && { expiresAt }) }
  const made = await invocation.client.post<KeyDocument & { readonly key: string }>('/keys', body)
  if (invocation.isJson) {
    invocation.printJson(made)
    return exitCodes.success
  }
  // Alone on stdout, so that it can go straight into a file.
  invocation.note(
    `the key of ${made.name} (${made.scopes.join(', ')}); save it, it will not be shown again:`,
  )
  invocation.printCells([made.key])
  return exitCodes.success
}

function expiryOf({ expires, expiresIn }: CreateOptions, now: number): string | null {
  if (expires !== undefined && expiresIn !== undefined) {
    throw badArgument('--expires', '--expires and --expires-in exclude each other')
  }
  if (expires !== undefined) return timeArgument('--expires', expires)
  if (expiresIn === undefined) return null
  return new Date(now + durationArgument('--expires-in', expiresIn)).toISOString()
}

async function showKey(invocation: Invocation, _: unknown, key?: string): Promise<ExitCode> {
  const id = await keyIdOf(invocation.client, key!)
  const found = await invocation.client.get<KeyDocument>(`/keys/${id}`)
  if (invocation.isJson) invocation.printJson(found)
  else {
    invocation.printDetails([
      ['key', ['strong', found.name]],
      ['id', found.id],
      ['begins with', found.prefix],
      ['scopes', found.scopes.join(' ')],
      ['state', stateCell(found, invocation.now)],
      ['created', whenText(found.createdAt, invocation.now)],
      ['last use', whenText(found.lastUsedAt, invocation.now) ?? 'never'],
    ])
  }
  return exitCodes.success
}

async function revokeKey(invocation: Invocation, _: unknown, key?: string): Promise<ExitCode> {
  const id = await keyIdOf(invocation.client, key!)
  await invocation.client.delete(`/keys/${id}`)
  if (invocation.isJson) invocation.printJson({ id, revoked: true })
  else invocation.printCells([`revoked ${key}`])
  return exitCodes.success
}
