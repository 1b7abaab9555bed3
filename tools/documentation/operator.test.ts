import { MetricRegistry } from '@kron/runtime'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { eventReasons } from '../../packages/operator/src/event/index.js'
import { conditionTypes } from '../../packages/operator/src/kronjob/index.js'
import { checkKronJob } from '../../packages/operator/src/kronjob/manifest/check-manifest.js'
import type { JsonSchema } from '../../packages/operator/src/kronjob/schema/json-schema.js'
import { specSchema } from '../../packages/operator/src/kronjob/schema/kron-job-schema.js'
import { statusSchema } from '../../packages/operator/src/kronjob/schema/status-schema.js'
import { leaseRules, operatorRules } from '../../packages/operator/src/manifests/rbac-rules.js'
import {
  countingObserver,
  measureOperator,
  type OperatorFigures,
  requestObserver,
} from '../../packages/operator/src/start/operator-metrics.js'
import { operatorProgram } from '../../packages/operator/src/start/operator-program.js'
import { codeBlocks } from './code-blocks.js'
import { documentationHost, readText } from './documentation-host.js'
import { objectsIn } from './documented-cluster.js'
import { pastedFiles } from './pasted-files.js'

const document = 'docs/operator.md'
const text = readText(document)

/** The text under a heading, up to the next one. */
function section(heading: string): string {
  const [, found] = text.split(new RegExp(`^#+ ${heading}$`, 'm'))
  return found!.split(/^#+ /m)[0]!
}

/** Cells of the rows of the tables under a heading. */
function rowsOf(heading: string): string[][] {
  const lines = section(heading)
    .split('\n')
    .filter((line) => line.startsWith('|') && !line.startsWith('| ---'))
  return lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

/** What is in code in the first cells of a table, one name each. */
const namesIn = (heading: string): string[] =>
  rowsOf(heading).flatMap(([first = '']) =>
    [...first.matchAll(/`([^`{]+)[^`]*`/g)].map(([, name]) => name!),
  )

interface Leaf {
  readonly path: string
  readonly schema: JsonSchema
}

/** Fields of the spec, down to those that have no fields of their own. */
function leavesOf({ properties = {} }: JsonSchema, prefix = ''): Leaf[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const path = `${prefix}${name}`
    const isWhole = path === 'jobTemplate' || path === 'distribution.params'
    return isWhole || schema.properties === undefined
      ? [{ path, schema }]
      : leavesOf(schema, `${path}.`)
  })
}

describe('the table of the spec', () => {
  const rows = new Map(rowsOf('Spec').map(([field, usual]) => [field!.replaceAll('`', ''), usual]))

  it.each(leavesOf(specSchema))('has $path with its default', ({ path, schema }) => {
    const usual = schema.default === undefined ? '' : `\`${textOf(schema.default)}\``
    expect(rows.get(path)).toBe(usual)
  })

  it('has nothing else', () => {
    const known = leavesOf(specSchema).map(({ path }) => path)
    expect([...rows.keys()].filter((name) => name !== 'field')).toEqual(known)
  })

  it('names every parameter of distributions', () => {
    const { params } = specSchema.properties!['distribution']!.properties!
    for (const name of Object.keys(params!.properties!)) {
      expect(section('Spec')).toContain(`\`${name}\``)
    }
  })
})

/** The empty text shows only with its quotes. */
const textOf = (value: unknown): string =>
  typeof value === 'string' && value !== '' ? value : JSON.stringify(value)

it('the table of the status has every field', () => {
  expect(namesIn('Status').toSorted()).toEqual(Object.keys(statusSchema.properties!).toSorted())
})

it('the table of conditions has every condition', () => {
  expect(namesIn('Conditions')).toEqual([...conditionTypes])
})

it('the table of events has every reason', () => {
  expect(namesIn('Events')).toEqual([...eventReasons])
})

it('the table of options has every option of kron-operator start', () => {
  const program = operatorProgram(documentationHost())
  const [start] = program.commands
  const documented = rowsOf('Running it').flatMap(([first = '']) =>
    [...first.matchAll(/`(--[a-z-]+)`/g)].map(([, name]) => name!),
  )
  expect(documented).toEqual(start!.options.map(({ long }) => long))
  for (const { long, defaultValue } of start!.options) {
    if (typeof defaultValue !== 'string') continue
    const row = rowsOf('Running it').find(([first]) => first === `\`${long}\``)
    expect(row?.[1]).toBe(`\`${defaultValue}\``)
  }
})

it('the table of metrics has every metric', () => {
  const metrics = new MetricRegistry()
  countingObserver(metrics)
  requestObserver(metrics)
  measureOperator(metrics, {} as OperatorFigures)
  const exposed = [...metrics.expose().matchAll(/^# TYPE (\S+) (\S+)$/gm)]
  const types = new Map(exposed.map(([, name, type]) => [name!, type!]))
  const rows = rowsOf('Probes and metrics').filter(([first]) => first!.startsWith('`kron_'))
  const documented = rows.map(([name, type]) => [/`(\w+)/.exec(name!)![1]!, type!] as const)
  expect(new Map(documented)).toEqual(types)
})

it('the table of rights has every right', () => {
  const rows = rowsOf('Rights').map(([resource, verbs]) =>
    `${resource} ${verbs}`.replaceAll('`', ''),
  )
  for (const { apiGroups, resources, verbs } of [...operatorRules, ...leaseRules]) {
    const [group] = apiGroups
    const [plural, subresource] = resources[0]!.split('/')
    const name = group === '' ? plural! : `${plural}.${group}`
    const resource = subresource === undefined ? name : `${name}/${subresource}`
    const row = rows.find((each) => each.startsWith(`${resource} `))
    for (const verb of verbs) expect(row).toMatch(new RegExp(`\\b${verb}\\b`))
  }
})

describe('manifests of KronJobs', () => {
  it('in the documentation are valid', () => {
    const blocks = codeBlocks(text).filter(({ info }) => info === 'yaml')
    const pasted = [...pastedFiles(text)].filter(([name]) => name.endsWith('.yaml'))
    const texts = [...blocks.map(({ lines }) => lines.join('\n')), ...pasted.map(([, it]) => it)]
    const kronJobs = texts.map((each) => parse(each) as { kind?: string })
    expect(kronJobs.some(({ kind }) => kind === 'KronJob')).toBe(true)
    for (const object of kronJobs) {
      if (object.kind === 'KronJob') expect(checkKronJob(object)).toEqual([])
    }
  })

  it('in the documentation are the ones that it names', () => {
    const pasted = pastedFiles(text).get('hello.yaml')!
    expect(objectsIn('examples/kubernetes/hello.yaml')).toEqual([parse(pasted)])
  })
})
