import { badArgument, type ExitCode, exitCodes } from '@kron/command'
import type { Command } from 'commander'
import { inputText } from '../../process/host.js'
import { minutesArgument } from '../arguments.js'
import { listed, type SecretDocument } from '../client/index.js'
import { acting, type CommandPorts, type Invocation } from '../invocation.js'
import { whenText } from '../text/distance.js'
import { type Confirmed, confirm, withConfirmation } from './confirmation.js'
import { maxListed } from './list-options.js'

type StoredSecret = SecretDocument & { readonly value: string | null }

export function addSecrets(program: Command, ports: CommandPorts): void {
  const secrets = program.command('secrets').description('Manage secrets that sign requests')
  const list = secrets.command('list', { isDefault: true }).description('List secrets')
  acting(list, ports, listSecrets)
  acting(withSecret(secrets, 'show', 'Show a secret, without its values'), ports, showSecret)
  const put = withSecret(secrets, 'put', 'Create a secret, or replace its value at once').option(
    '--value <source>',
    '- reads whsec_... from standard input (default: create a value)',
  )
  acting(put, ports, putSecret)
  const rotate = withSecret(
    secrets,
    'rotate',
    'Give a secret a new value; for a time both sign',
  ).option('--overlap <duration>', 'how long both values sign', '24h')
  acting(rotate, ports, rotateSecret)
  const remove = withConfirmation(
    withSecret(secrets, 'delete', 'Delete a secret that no endpoint uses'),
  )
  acting(remove, ports, deleteSecret)
}

const withSecret = (secrets: Command, name: string, description: string): Command =>
  secrets.command(name).description(description).argument('<name>', 'name of a secret')

const pathOf = (name: string): string => `/secrets/${encodeURIComponent(name)}`

async function listSecrets(invocation: Invocation): Promise<ExitCode> {
  const { items } = await listed<SecretDocument>(invocation.client, '/secrets', {}, maxListed)
  if (invocation.isJson) invocation.printJson(items)
  else {
    const columns = [{ title: 'secret' }, { title: 'values' }, { title: 'changed (UTC)' }]
    const rows = items.map(({ name, values, updatedAt }) => [
      name,
      String(values.length),
      updatedAt,
    ])
    invocation.printTable(columns, rows)
  }
  return exitCodes.success
}

async function showSecret(invocation: Invocation, _: unknown, name?: string): Promise<ExitCode> {
  const secret = await invocation.client.get<SecretDocument>(pathOf(name!))
  if (invocation.isJson) invocation.printJson(secret)
  else printSecret(invocation, secret)
  return exitCodes.success
}

function printSecret(invocation: Invocation, secret: SecretDocument): void {
  const { now } = invocation
  invocation.printDetails([
    ['secret', ['strong', secret.name]],
    ['id', secret.id],
    ['changed', whenText(secret.updatedAt, now)],
    ...secret.values.map(({ createdAt, expiresAt }, index): [string, string] => [
      `value ${index + 1}`,
      `since ${createdAt}${expiresAt === null ? '' : `, signs until ${expiresAt}`}`,
    ]),
    ['version', String(secret.version)],
  ])
}

async function putSecret(
  invocation: Invocation,
  options: { readonly value?: string },
  name?: string,
): Promise<ExitCode> {
  const value = await givenValue(options.value, invocation)
  const body = value === null ? {} : { value }
  return printStored(invocation, await invocation.client.put<StoredSecret>(pathOf(name!), body))
}

/** Never from the command line itself, which everybody on the machine can see. */
async function givenValue(
  option: string | undefined,
  { host }: Invocation,
): Promise<string | null> {
  if (option === undefined) return null
  if (option === '-') return (await inputText(host)).trim()
  throw badArgument('--value', '--value must be -: the secret itself comes from standard input')
}

async function rotateSecret(
  invocation: Invocation,
  options: { readonly overlap: string },
  name?: string,
): Promise<ExitCode> {
  const overlapMinutes = minutesArgument('--overlap', options.overlap)
  const path = `${pathOf(name!)}/rotate`
  return printStored(
    invocation,
    await invocation.client.post<StoredSecret>(path, { overlapMinutes }),
  )
}

function printStored(invocation: Invocation, secret: StoredSecret): ExitCode {
  if (invocation.isJson) invocation.printJson(secret)
  else if (secret.value === null) printSecret(invocation, secret)
  else {
    // Alone on stdout, so that it can go straight into a file.
    invocation.note(`the value of ${secret.name}; save it, it will not be shown again:`)
    invocation.printCells([secret.value])
  }
  return exitCodes.success
}

async function deleteSecret(
  invocation: Invocation,
  options: Confirmed,
  name?: string,
): Promise<ExitCode> {
  confirm(options, `deleting the secret ${JSON.stringify(name)} can not be undone`)
  await invocation.client.delete(pathOf(name!))
  if (invocation.isJson) invocation.printJson({ name, deleted: true })
  else invocation.printCells([`deleted ${name}`])
  return exitCodes.success
}
