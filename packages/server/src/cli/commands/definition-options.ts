import { appended, badArgument, countArgument, durationArgument } from '@kron/command'
import type { Command } from 'commander'
import { type EndpointField, endpointFields, fieldNames } from '../../domain/endpoint-fields.js'
import { type Host, inputText } from '../../process/host.js'

/** Each by its flag: those of the table of fields, and those that are spelled in a way of their own. */
export interface DefinitionOptions {
  readonly header?: readonly string[]
  readonly json?: string
  readonly text?: string
  readonly attempts?: string
  readonly set?: readonly string[]
  readonly [flag: string]: string | readonly string[] | undefined
}

type Fields = Record<string, unknown>

export function withDefinition(command: Command): Command {
  for (const { option, text } of optionFields) {
    if (option !== endpointFields.url.option) command.option(option, helpOf(text))
  }
  return command
    .option('--header <name: value>', 'a header; an empty value removes it; repeatable', appended)
    .option('--json <text>', 'a JSON body; - reads standard input')
    .option('--text <text>', 'a text body; - reads standard input')
    .option('--attempts <number>', 'attempts of one run, with the first')
    .option('--set <field=json>', 'any other field of the API; null clears; repeatable', appended)
}

/** A text of the table in the way of helps: without a capital. */
export const helpOf = (text: string): string => text[0]!.toLowerCase() + text.slice(1)

/** Fields that have an option of their own, with what it is called. */
const optionFields = fieldNames.flatMap((name) => {
  const field: EndpointField = endpointFields[name]
  const { option, text } = field
  if (option === undefined) return []
  const flag = option.slice(2, option.indexOf(' '))
  return [{ name, field, option, flag, text }]
})

/** The fields of the API that the options name. */
export async function definitionOf(options: DefinitionOptions, host: Host): Promise<Fields> {
  if (options['cron'] !== undefined && options['every'] !== undefined) {
    throw badArgument(
      '--cron',
      '--cron and --every exclude each other: an endpoint has one baseline',
    )
  }
  const fields: Fields = {
    ...Object.fromEntries(
      optionFields.map(({ name, field, flag }) => [name, givenValue(field, flag, options[flag])]),
    ),
    retry: retryOf(options.attempts),
    body: await bodyOf(options, host),
  }
  const named = Object.entries(fields).filter(([, value]) => value !== undefined)
  return { ...Object.fromEntries(named), ...Object.fromEntries((options.set ?? []).map(setting)) }
}

/** Numbers that have an option are durations; choices may be written in any case. */
function givenValue(field: EndpointField, flag: string, given: DefinitionOptions[string]): unknown {
  if (typeof given !== 'string') return undefined
  if (field.kind === 'whole') return durationArgument(`--${flag}`, given, field.min)
  if (field.kind !== 'choice') return given
  const known = field.values.find((value) => value.toLowerCase() === given.toLowerCase())
  return known ?? given
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
