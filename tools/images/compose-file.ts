import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'

const folder = fileURLToPath(new URL('../../deploy/compose/', import.meta.url))

/** What the tests look at of a service; the schema has seen to the rest. */
export interface ComposeService {
  readonly image: string
  readonly command?: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  readonly networks: readonly string[]
  readonly volumes?: readonly string[]
  readonly ports?: readonly string[]
  readonly tmpfs: readonly string[]
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
  readonly deploy?: { readonly replicas: number }
  readonly read_only?: boolean
  readonly cap_drop?: readonly string[]
  readonly security_opt?: readonly string[]
  readonly healthcheck?: { readonly test: readonly string[] }
  readonly restart?: string
  readonly stop_grace_period: string
  readonly build?: { readonly args: Readonly<Record<string, string>> }
}

export interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>
  readonly volumes: Readonly<Record<string, object | null>>
  readonly networks: Readonly<Record<string, { readonly internal?: boolean } | null>>
}

export const composeText = (name: string): string => readFileSync(`${folder}${name}`, 'utf8')

/** Variables, such as of a `.env`, are put in as Compose does; throws where one must be set. */
export function composeFile(variables: Readonly<Record<string, string>>): ComposeFile {
  return filled(parse(composeText('compose.yaml'), { merge: true }), variables) as ComposeFile
}

function filled(value: unknown, variables: Readonly<Record<string, string>>): unknown {
  if (typeof value === 'string') return filledText(value, variables)
  if (Array.isArray(value)) return value.map((item) => filled(item, variables))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, filled(item, variables)]),
  )
}

const placeholder = /\$\{(\w+):(?:(-)([^}]*)|(\?)([^}]*))\}/g

function filledText(text: string, variables: Readonly<Record<string, string>>): string {
  const done = text.replace(placeholder, (_, name: string, _default, usual, required, message) => {
    const value = variables[name] ?? ''
    if (value !== '') return value
    if (required !== undefined) throw new Error(`${name} is not set: ${message}`)
    return usual
  })
  if (done.includes('$')) throw new Error(`a variable that is not understood: ${text}`)
  return done
}
