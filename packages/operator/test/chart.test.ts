import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const textOf = (path: string) => readFileSync(`${root}deploy/helm/kron-operator/${path}`, 'utf8')

interface ValuesSchema {
  readonly $ref?: string
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly pattern?: string
  readonly properties?: Readonly<Record<string, ValuesSchema>>
  readonly additionalProperties?: boolean | ValuesSchema
  readonly definitions?: Readonly<Record<string, ValuesSchema>>
}

const schema: ValuesSchema = JSON.parse(textOf('values.schema.json'))
const values: Record<string, unknown> = parse(textOf('values.yaml'))

const resolved = (part: ValuesSchema): ValuesSchema =>
  part.$ref === undefined ? part : schema.definitions![part.$ref.split('/').at(-1)!]!

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Paths of all values that have a name of their own in the chart. */
function paths(object: Record<string, unknown>, part: ValuesSchema, at = ''): string[] {
  return Object.entries(object).flatMap(([name, value]) => {
    const below = part.properties?.[name]
    const isGroup = below?.properties !== undefined && isObject(value)
    return isGroup ? paths(value, below, `${at}${name}.`) : [`${at}${name}`]
  })
}

function misfits(value: unknown, of: ValuesSchema, at: string): string[] {
  const part = resolved(of)
  if (part.enum !== undefined) return part.enum.includes(value) ? [] : [at]
  const type = Array.isArray(value) ? 'array' : Number.isInteger(value) ? 'integer' : typeof value
  if (type !== part.type) return [at]
  if (part.pattern !== undefined && !new RegExp(part.pattern).test(value as string)) return [at]
  if (!isObject(value) || part.properties === undefined) return []
  return Object.entries(value).flatMap(([name, item]) =>
    part.properties![name] === undefined
      ? [`${at}.${name}`]
      : misfits(item, part.properties![name], `${at}.${name}`),
  )
}

function declared(part: ValuesSchema, at = ''): string[] {
  return Object.entries(part.properties!).flatMap(([name, below]) =>
    below.properties === undefined ? [`${at}${name}`] : declared(below, `${at}${name}.`),
  )
}

describe('the Helm chart', () => {
  it('has the version of the package', () => {
    const { version } = JSON.parse(readFileSync(`${root}packages/operator/package.json`, 'utf8'))
    const chart = parse(textOf('Chart.yaml'))
    expect(chart).toMatchObject({ version, appVersion: version })
  })

  it('has values that fit their schema', () => {
    expect(misfits(values, schema, 'values')).toEqual([])
  })

  it('has a value for everything in the schema, and nothing else', () => {
    const given = paths(values, schema).sort()
    expect(
      declared(schema)
        .filter((path) => path !== 'global')
        .sort(),
    ).toEqual(given)
  })

  it('refuses values that it does not know, at every level', () => {
    const open = Object.entries({ '': schema, ...schema.properties }).filter(
      ([, part]) => part.properties !== undefined && part.additionalProperties !== false,
    )
    expect(open.map(([name]) => name)).toEqual([])
  })

  it('describes every value in its README, with its default', () => {
    const rows = new Map(
      [...textOf('README.md').matchAll(/^\| `([\w.]+)` \| (.*?) \|/gm)].map(([, name, usual]) => [
        name!,
        usual!,
      ]),
    )
    expect([...rows.keys()].sort()).toEqual(paths(values, schema).sort())
    for (const [path, usual] of rows) {
      const value = path.split('.').reduce<unknown>((part, name) => part?.[name as never], values)
      const isShown = typeof value !== 'object' && value !== ''
      expect(usual, path).toBe(isShown ? `\`${value}\`` : usual)
    }
  })
})
