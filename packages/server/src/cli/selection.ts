import { CommandFailure, exitCodes } from '@kron/command'
import { quote, suggestion } from '@kron/core'
import { isId } from '../domain/id.js'
import { parseRunId } from '../domain/run.js'
import { type ApiClient, type EndpointDocument, type JobDocument, listed } from './client/index.js'

/** Beyond that a name has to be an id. */
const maxNames = 10_000

/** The id of a job by its id or its name. */
export async function jobIdOf(client: ApiClient, text: string): Promise<string> {
  if (isId('job', text)) return text
  const { items } = await listed<JobDocument>(client, '/jobs', {}, maxNames)
  return idOf('job', text, items)
}

/** The id of an endpoint by its id, its name, or `<job>/<name>`. */
export async function endpointIdOf(client: ApiClient, text: string): Promise<string> {
  if (isId('ep', text)) return text
  const { items } = await listed<EndpointDocument>(client, '/endpoints', {}, maxNames)
  const plain = items.filter(({ name }) => name === text)
  if (plain.length === 1) return plain[0]!.id
  const jobs = await jobNames(client)
  const whole = items.map(({ id, jobId, name }) => ({ id, name: `${jobs.get(jobId)}/${name}` }))
  const found = whole.filter(({ name }) => name === text)
  if (found.length === 1) return found[0]!.id
  if (plain.length > 1) {
    const ids = new Set(plain.map(({ id }) => id))
    throw ambiguous(
      'endpoint',
      text,
      whole.filter(({ id }) => ids.has(id)),
    )
  }
  throw unknown('endpoint', text, [...items, ...whole])
}

/** The id of a key by its id, its name or its first characters. */
export async function keyIdOf(client: ApiClient, text: string): Promise<string> {
  if (isId('key', text)) return text
  const { items } = await listed<{ id: string; name: string; prefix: string; revokedAt: unknown }>(
    client,
    '/keys',
    {},
    maxNames,
  )
  const byPrefix = items.find(({ prefix }) => prefix === text)
  return (
    byPrefix?.id ??
    idOf(
      'key',
      text,
      items.filter(({ revokedAt }) => revokedAt === null),
    )
  )
}

export function checkRunId(text: string): string {
  if (parseRunId(text) !== null) return text
  throw new CommandFailure(exitCodes.input, `${quote(text)} is not the id of a run: run_...`)
}

/** Names of all jobs by their ids, for tables. */
export async function jobNames(client: ApiClient): Promise<ReadonlyMap<string, string>> {
  const { items } = await listed<JobDocument>(client, '/jobs', {}, maxNames)
  return new Map(items.map(({ id, name }) => [id, name]))
}

export async function endpointNames(client: ApiClient): Promise<ReadonlyMap<string, string>> {
  const { items } = await listed<EndpointDocument>(client, '/endpoints', {}, maxNames)
  return new Map(items.map(({ id, name }) => [id, name]))
}

interface Named {
  readonly id: string
  readonly name: string
}

function idOf(noun: string, text: string, items: readonly Named[]): string {
  const found = items.filter(({ name }) => name === text)
  if (found.length === 1) return found[0]!.id
  throw found.length > 1 ? ambiguous(noun, text, found) : unknown(noun, text, items)
}

export function ambiguous(noun: string, text: string, found: readonly Named[]): CommandFailure {
  const message = `${found.length} ${noun}s have the name ${quote(text)}`
  const lines = found.map(({ id, name }) => `  ${id}  ${name}`)
  return new CommandFailure(exitCodes.input, message, ['hint: use one of these ids', ...lines])
}

export function unknown(noun: string, text: string, items: readonly Named[]): CommandFailure {
  const close = suggestion(text, new Set(items.map(({ name }) => name)))
  const hint = `hint: kron ${noun}s list shows all of them`
  return new CommandFailure(exitCodes.input, `no ${noun} ${quote(text)}${close}`, [hint])
}
