import { badArgument, countArgument, durationArgument } from '@kron/command'
import { type Host, inputText } from '../../process/host.js'

export interface DefinitionOptions {
  readonly url?: string
  readonly cron?: string
  readonly every?: string
  readonly timezone?: string
  readonly jitter?: string
  readonly min?: string
  readonly max?: string
  readonly method?: string
  readonly header?: readonly string[]
  readonly json?: string
  readonly text?: string
  readonly timeout?: string
  readonly deadline?: string
  readonly attempts?: string
  readonly concurrency?: string
  readonly planner?: string
  readonly secret?: string
  readonly description?: string
  readonly set?: readonly string[]
}

type Fields = Record<string, unknown>

/** The fields of the API that the options name. */
export async function definitionOf(options: DefinitionOptions, host: Host): Promise<Fields> {
  if (options.cron !== undefined && options.every !== undefined) {
    throw badArgument(
      '--cron',
      '--cron and --every exclude each other: an endpoint has one baseline',
    )
  }
  const fields: Fields = {
    url: options.url,
    description: options.description,
    method: options.method?.toUpperCase(),
    cron: options.cron,
    timezone: options.timezone,
    intervalMs: duration('--every', options.every),
    jitterMs: duration('--jitter', options.jitter, 0),
    minIntervalMs: duration('--min', options.min, 0),
    maxIntervalMs: duration('--max', options.max),
    timeoutMs: duration('--timeout', options.timeout),
    deadlineMs: duration('--deadline', options.deadline, 0),
    retry: retryOf(options.attempts),
    concurrency: options.concurrency,
    planner: options.planner,
    secret: options.secret,
    body: await bodyOf(options, host),
  }
  const named = Object.entries(fields).filter(([, value]) => value !== undefined)
  return { ...Object.fromEntries(named), ...Object.fromEntries((options.set ?? []).map(setting)) }
}

/** What headers there were, with those of the options; null when the options name none. */
export function headersOf(
  { header }: DefinitionOptions,
  before: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> | null {
  if (header === undefined) return null
  const headers = { ...before }
  for (const text of header) {
    const [, name, value = ''] = /^([^:\s]+)\s*:\s*(.*)$/s.exec(text) ?? []
    if (name === undefined)
      throw badArgument('--header', `--header must be "name: value", got ${shown(text)}`)
    const known = Object.keys(headers).find((each) => each.toLowerCase() === name.toLowerCase())
    if (known !== undefined) delete headers[known]
    if (value !== '') headers[name] = value
  }
  return headers
}

/** A header's value may be a secret, and errors end up in logs. */
const shown = (text: string): string => JSON.stringify(text.slice(0, text.search(/[:\s]|$/)))

const duration = (name: string, text: string | undefined, least = 1): number | undefined =>
  text === undefined ? undefined : durationArgument(name, text, least)

function retryOf(attempts: string | undefined): Fields | null | undefined {
  if (attempts === undefined) return undefined
  const count = countArgument('--attempts', attempts, 20)
  if (count === 1) return null
  return { attempts: count, jitter: 0.5 }
}

async function bodyOf({ json, text }: DefinitionOptions, host: Host): Promise<Fields | undefined> {
  if (json !== undefined && text !== undefined) {
    throw badArgument('--json', '--json and --text exclude each other')
  }
  const given = json ?? text
  if (given === undefined) return undefined
  const content = given === '-' ? await inputText(host) : given
  if (json !== undefined) parsed('--json', content, jsonHint)
  return { kind: json === undefined ? 'text' : 'json', content }
}

const jsonHint = `hint: names and texts are in "double quotes", all of it in 'single': '{"run":7}'`

function setting(text: string): [string, unknown] {
  const [, name, value] = /^([A-Za-z]\w*)=(.*)$/s.exec(text) ?? []
  if (name === undefined || value === undefined) {
    throw badArgument(
      '--set',
      `--set must be field=json such as steering=true, got ${JSON.stringify(text)}`,
    )
  }
  return [
    name,
    parsed(`--set ${name}`, value, 'hint: a text needs quotes of its own: \'secret="x"\''),
  ]
}

function parsed(name: string, text: string, ...hints: readonly string[]): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw badArgument(name, `${name} must be JSON: ${(error as Error).message}`, ...hints)
  }
}
