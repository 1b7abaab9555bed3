import { jobSpecText, kubernetesVersion } from './generated/job-spec.js'

/** What a field of a Job may hold. */
export type FieldType =
  | { readonly kind: 'scalar'; readonly name: ScalarName }
  | { readonly kind: 'choice'; readonly choices: readonly string[] }
  | { readonly kind: 'object'; readonly name: string }
  | { readonly kind: 'map'; readonly of: FieldType }
  /** With keys if two who apply it are merged item by item, and each item has its own. */
  | { readonly kind: 'list'; readonly of: FieldType; readonly keys: readonly string[] }

const scalarNames = [
  'string',
  'integer',
  'number',
  'boolean',
  'Time',
  'Quantity',
  'IntOrString',
] as const
export type ScalarName = (typeof scalarNames)[number]

export interface Field {
  readonly type: FieldType
  readonly isRequired: boolean
}

/** The fields of each type, by their names; a type without any may hold anything. */
export type FieldTable = ReadonlyMap<string, ReadonlyMap<string, Field>>

/** Reads what `tools/job-schema` wrote; its `jobSpecText` says how that is spelt. */
export function parseFieldTable(text: string): FieldTable {
  const table = new Map<string, Map<string, Field>>()
  let fields = new Map<string, Field>()
  for (const line of text.split('\n')) {
    if (line.startsWith(' ')) addFields(line, fields)
    else if (line !== '') {
      fields = new Map()
      table.set(line, fields)
    }
  }
  return table
}

function addFields(line: string, fields: Map<string, Field>): void {
  for (const word of line.trim().split(' ')) {
    const colon = word.indexOf(':')
    const name = word.slice(0, colon)
    const isRequired = name.endsWith('!')
    const type = parseType(word.slice(colon + 1))
    fields.set(isRequired ? name.slice(0, -1) : name, { type, isRequired })
  }
}

function parseType(text: string): FieldType {
  const list = /^\[(.*)\](?:@(.+))?$/.exec(text)
  if (list !== null) {
    return { kind: 'list', of: parseType(list[1]!), keys: list[2]?.split(',') ?? [] }
  }
  const inner = text.slice(1, -1)
  if (text.startsWith('{')) return { kind: 'map', of: parseType(inner) }
  if (text.startsWith('(')) return { kind: 'choice', choices: inner.split('|') }
  const scalar = scalarNames.find((name) => name === text)
  return scalar === undefined ? { kind: 'object', name: text } : { kind: 'scalar', name: scalar }
}

let table: FieldTable | undefined

/** All types in a JobSpec; parsed when they are first needed. */
export function jobSpecTable(): FieldTable {
  table ??= parseFieldTable(jobSpecText)
  return table
}

/** Of which Kubernetes that is. */
export { kubernetesVersion }
