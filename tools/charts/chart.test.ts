import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'

const root = fileURLToPath(new URL('../../', import.meta.url))

interface ValuesSchema {
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, ValuesSchema>>
  readonly additionalProperties?: boolean | ValuesSchema
  readonly definitions?: Readonly<Record<string, ValuesSchema>>
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

describe.each([
  ['kron-operator', 'operator'],
  ['kron-server', 'server'],
])('the Helm chart %s', (chart, packageFolder) => {
  const textOf = (path: string) => readFileSync(`${root}deploy/helm/${chart}/${path}`, 'utf8')
  const schema: ValuesSchema = JSON.parse(textOf('values.schema.json'))
  const values: Record<string, unknown> = parse(textOf('values.yaml'))

  const resolved = (part: ValuesSchema): ValuesSchema =>
    part.$ref === undefined ? part : schema.definitions![part.$ref.split('/').at(-1)!]!

  /** Paths of all values that have a name of their own in the chart. */
  function paths(object: Record<string, unknown>, part: ValuesSchema, at = ''): string[] {
    return Object.entries(object).flatMap(([name, value]) => {
      const below = resolved(part.properties?.[name] ?? {})
      const isGroup = below.properties !== undefined && isObject(value)
      return isGroup ? paths(value, below, `${at}${name}.`) : [`${at}${name}`]
    })
  }

  function declared(part: ValuesSchema, at = ''): string[] {
    return Object.entries(part.properties!).flatMap(([name, unresolved]) => {
      const below = resolved(unresolved)
      return below.properties === undefined ? [`${at}${name}`] : declared(below, `${at}${name}.`)
    })
  }

  it('has the version of the package', () => {
    const file = readFileSync(`${root}packages/${packageFolder}/package.json`, 'utf8')
    const { version } = JSON.parse(file)
    expect(parse(textOf('Chart.yaml'))).toMatchObject({ version, appVersion: version })
  })

  it('has values that fit their schema', () => {
    const check = new Ajv({ strict: true, allErrors: true }).compile(schema)
    check(values)
    expect(check.errors).toBeNull()
    expect(check({ ...values, image: { tag: 1 } })).toBe(false)
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
    const open = Object.entries({ '': schema, ...schema.properties }).filter(([, part]) => {
      const { properties, additionalProperties } = resolved(part)
      return properties !== undefined && additionalProperties !== false
    })
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
