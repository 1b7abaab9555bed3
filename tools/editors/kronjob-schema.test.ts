import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { checkKronJob } from '../../packages/operator/src/kronjob/manifest/check-manifest.js'
import { manifestSchema } from '../../packages/operator/src/kronjob/manifest/manifest-schema.js'
import type { CelRule, JsonSchema } from '../../packages/operator/src/kronjob/schema/json-schema.js'
import { flawedPods, soundPods } from '../../packages/operator/test/job-spec-samples.js'
import { codeBlocks } from '../documentation/code-blocks.js'
import { inJavaScript, ruleSchemas } from './cel-schema.ts'
import { editorFiles } from './editor-files.ts'
import { kronJobSpecs } from './kronjob-specs.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const read = (path: string): string => readFileSync(`${root}${path}`, 'utf8')

const ajv = new Ajv({ allErrors: true, allowUnionTypes: true, strictRequired: false })
for (const keyword of ['patternErrorMessage', 'errorMessage']) ajv.addKeyword(keyword)
ajv.addFormat('date-time', true)
const validate = ajv.compile(JSON.parse(editorFiles.get('kronjob.schema.json')!))

/** Where something is underlined, with the name of a field that does not exist. */
function underlinedIn(manifest: unknown): string[] {
  validate(manifest)
  const places = (validate.errors ?? [])
    .filter(({ keyword }) => keyword !== 'if')
    .map(({ instancePath, params }) => {
      const extra = params['additionalProperty'] ?? params['missingProperty']
      return extra === undefined ? instancePath : `${instancePath}/${extra}`
    })
  return [...new Set(places)]
}

const documentsIn = (text: string): unknown[] =>
  parseAllDocuments(text).map((document) => document.toJS())

const hello = parse(read('examples/kubernetes/hello.yaml'))
const withSpec = (more: object): unknown => ({ ...hello, spec: { ...hello.spec, ...more } })

describe('the schema of KronJobs for editors', () => {
  it.each(globSync('examples/kubernetes/*.yaml', { cwd: root }))(
    'has nothing against %s',
    (path) => {
      for (const manifest of documentsIn(read(path))) expect(underlinedIn(manifest)).toEqual([])
    },
  )

  it('has nothing against the KronJobs of the documentation', () => {
    const texts = globSync(['README.md', 'docs/*.md'], { cwd: root }).flatMap((path) =>
      codeBlocks(read(path)).flatMap(({ info, lines }) => {
        const text = lines.join('\n')
        if (info === 'yaml') return [text]
        // What is pasted into a file, or handed to a command.
        return [...text.matchAll(/<<\s*'?(\w+)'?[^\n]*\n(apiVersion:[\s\S]*?)\n\1$/gm)].map(
          ([, , manifest]) => manifest!,
        )
      }),
    )
    const manifests = texts
      .flatMap(documentsIn)
      .filter((manifest) => (manifest as { kind?: string } | null)?.kind === 'KronJob')
    expect(manifests).not.toHaveLength(0)
    for (const manifest of manifests) expect(underlinedIn(manifest)).toEqual([])
  })

  it('underlines what kronctl validate refuses in mistakes.yaml', () => {
    const [report, cleanup] = documentsIn(read('tools/documentation/fixtures/mistakes.yaml'))
    const pod = '/spec/jobTemplate/spec/template/spec'
    expect(underlinedIn(report).toSorted()).toEqual([
      '/spec/deadline',
      `${pod}/containers/0/comand`,
      `${pod}/containers/0/env/0/value`,
      `${pod}/containers/0/resources/limits/memory`,
      `${pod}/restartPolicy`,
      '/spec/schedule',
      '/spec/timezone',
      '/spec/window/duration',
    ])
    expect(underlinedIn(cleanup)).toEqual([])
  })

  it.each([
    ['a misspelt field', { windows: {} }, '/spec/windows'],
    ['a schedule of six fields', { schedule: '0 0 0 * * *' }, '/spec/schedule'],
    ['a schedule with an hour 24', { schedule: '0 24 * * *' }, '/spec/schedule'],
    ['an unknown macro', { schedule: '@every 5m' }, '/spec/schedule'],
    ['a duration without a unit', { window: { duration: '90' } }, '/spec/window/duration'],
    ['a number as duration', { window: { duration: 90 } }, '/spec/window/duration'],
    ['an unknown mode', { window: { mode: 'later' } }, '/spec/window/mode'],
    ['a zone that does not exist', { timezone: 'CET+1' }, '/spec/timezone'],
    ['an unknown distribution', { distribution: { name: 'bell' } }, '/spec/distribution/name'],
    ['a shape of 0', { distribution: { params: { shape: 0 } } }, '/spec/distribution/params/shape'],
    ['an unknown policy', { policy: { concurrency: 'Forbid' } }, '/spec/policy/concurrency'],
    [
      'a clause that does not exist',
      { constraints: { only: ['hour=3'] } },
      '/spec/constraints/only/0',
    ],
    [
      'an hour 24 in a clause',
      { constraints: { avoid: ['hours=24'] } },
      '/spec/constraints/avoid/0',
    ],
    ['no Job', { jobTemplate: undefined }, '/spec/jobTemplate'],
  ])('underlines %s', (_, more, place) => {
    expect(underlinedIn(withSpec(more))).toContain(place)
  })

  it.each([
    { schedule: '*/15 8-18 * jan-mar mon-FRI' },
    { schedule: '@Daily' },
    { timezone: 'US/Eastern' },
    { window: { mode: 'around', duration: '1h30m' } },
    { distribution: { name: 'skewLate', params: { shape: '2.5', sample: 'exact' } } },
    { constraints: { only: ['dow=mon-fri; HOURS = 8-18', 'date=2026-12-24,2026-12-25'] } },
  ])('has nothing against %j', (more) => {
    expect(underlinedIn(withSpec(more))).toEqual([])
  })

  it('has nothing against any KronJob that kronctl validate takes', () => {
    let taken = 0
    const property = fc.property(kronJobSpecs, (spec) => {
      const manifest = withSpec(spec)
      if (checkKronJob(manifest).length > 0) return
      taken++
      expect(underlinedIn(manifest)).toEqual([])
    })
    fc.assert(property, { numRuns: 2000 })
    expect(taken).toBeGreaterThan(500)
  })

  it('underlines another version of KronJob and another kind of ours', () => {
    expect(underlinedIn({ ...hello, apiVersion: 'kron.io/v1' })).toEqual(['/apiVersion'])
    expect(underlinedIn({ ...hello, kind: 'Kronjob' })).toEqual(['/kind'])
    expect(underlinedIn({ ...hello, apiVersion: 'batch/v1' })).toEqual(['/apiVersion'])
  })

  it('lets other kinds pass that stand in the same file', () => {
    for (const manifest of documentsIn(read('tools/documentation/fixtures/cronjobs.yaml'))) {
      expect(underlinedIn(manifest)).toEqual([])
    }
  })

  // A server takes a null for nothing; in an editor it is a key that waits for its value.
  it.each(soundPods.filter(([name]) => name !== 'nulls'))('knows Jobs: %s', (_, spec) => {
    expect(underlinedIn(withSpec({ jobTemplate: { spec } }))).toEqual([])
  })

  it.each(flawedPods.filter(([, , message]) => !/ again$/.test(message)))(
    'underlines %s',
    (_, spec) => {
      expect(underlinedIn(withSpec({ jobTemplate: { spec } }))).not.toEqual([])
    },
  )
})

describe('the rules of the API server', () => {
  function rulesIn(schema: JsonSchema): CelRule[] {
    const inner = [
      ...Object.values(schema.properties ?? {}),
      ...(schema.items ? [schema.items] : []),
      ...(schema.additionalProperties ? [schema.additionalProperties] : []),
    ]
    return [...(schema['x-kubernetes-validations'] ?? []), ...inner.flatMap(rulesIn)]
  }

  it('are in the schema, but those that have to compute something', () => {
    const left = rulesIn(manifestSchema).filter((rule) => ruleSchemas(rule).length === 0)
    const reasons = [
      /^must be at most \d+h/,
      /^must be above 0s$/,
      / is a parameter of /,
      /together$/,
    ]
    const zones = /IANA time zone/
    for (const { message } of left) {
      expect(
        [...reasons, zones].some((reason) => reason.test(message)),
        message,
      ).toBe(true)
    }
  })

  it('mean the same in JavaScript where letters may be of either case', () => {
    const pattern = new RegExp(inJavaScript('(?i)^[a-c]\\s(mon|x)\\d$'))
    expect(pattern.source).toBe('^[a-c]\\s([Mm][Oo][Nn]|[Xx])\\d$')
  })
})
