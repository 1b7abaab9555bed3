import { describe, expect, it } from 'vitest'
import { jobTemplate, kronJobManifest } from '../../../test/kron-job-manifest.js'
import { applyDefaults } from '../schema/kron-job-schema.js'
import { checkKronJob } from './check-manifest.js'
import { pathText } from './problem.js'

/** The manifest with some fields changed, which may be anything. */
const withSpec = (spec: object): unknown => ({
  ...kronJobManifest(),
  spec: { ...kronJobManifest().spec, ...spec },
})

const messages = (value: unknown): string[] => checkKronJob(value).map(({ message }) => message)

describe('checkKronJob', () => {
  it('has nothing against a good manifest, bare or filled in', () => {
    expect(checkKronJob(kronJobManifest())).toEqual([])
    expect(checkKronJob(applyDefaults(kronJobManifest()))).toEqual([])
  })

  it('has nothing against what comes from a cluster', () => {
    const metadata = {
      name: 'backup',
      namespace: 'shop',
      uid: '7d8f',
      resourceVersion: '12',
      generation: 1,
      creationTimestamp: '2026-01-01T00:00:00Z',
      managedFields: [{ manager: 'kubectl' }],
      labels: { 'app.kubernetes.io/name': 'backup' },
    }
    const status = { lastPeriodID: '2026-01-01T02:00:00Z', lastOutcome: 'executed', active: [] }
    expect(checkKronJob({ ...kronJobManifest(), metadata, status })).toEqual([])
  })

  it('has nothing against fields of a template that it does not know', () => {
    const template = jobTemplate({ schedulerName: 'x', resourceClaims: [{ name: 'gpu' }] })
    expect(checkKronJob(withSpec({ jobTemplate: template }))).toEqual([])
  })

  it('says all at once', () => {
    const found = checkKronJob({
      apiVersion: 'kron.io/v1',
      kind: 'KronJob',
      metadata: { name: 'Backup_1', labels: { 'a b': 'c' } },
      spec: {
        schedule: '0 25 * * *',
        timezone: 'Paris',
        windows: {},
        window: { mode: 'before', duration: '3d' },
        policy: { suspend: 'no' },
        failedJobsHistoryLimit: -1,
        jobTemplate: jobTemplate({ restartPolicy: 'Always' }),
      },
    })
    expect(found.map(({ path }) => pathText(path)).sort()).toEqual([
      'apiVersion',
      'metadata.labels["a b"]',
      'metadata.name',
      'spec.failedJobsHistoryLimit',
      'spec.jobTemplate.spec.template.spec.restartPolicy',
      'spec.policy.suspend',
      'spec.schedule',
      'spec.timezone',
      'spec.window.duration',
      'spec.window.mode',
      'spec.windows',
    ])
  })

  it.each<[string, object, string]>([
    [
      'a misspelt field',
      { shedule: '@daily' },
      'spec.shedule is an unknown field; did you mean schedule?',
    ],
    ['a missing field', { schedule: undefined }, 'spec.schedule is required and missing'],
    [
      'a field of the wrong type',
      { window: { duration: 3 } },
      'spec.window.duration must be text, got 3',
    ],
    [
      'a list where an object belongs',
      { window: [] },
      'spec.window must be an object, got an array of 0',
    ],
    [
      'a choice that does not exist',
      { policy: { concurrency: 'Forbid' } },
      'spec.policy.concurrency must be one of forbid, allow, replace, got "Forbid"; ' +
        'did you mean forbid?',
    ],
    [
      'a window that is too long for its schedule',
      { window: { duration: '25h' } },
      'spec.window.duration: window of 25h is too large: "0 2 * * *" has periods only 24h apart',
    ],
    [
      'no container',
      { jobTemplate: jobTemplate({ containers: [] }) },
      'spec.jobTemplate.spec.template.spec.containers must have at least 1 items, got 0',
    ],
    [
      'a container without an image',
      { jobTemplate: jobTemplate({ containers: [{ name: 'a' }] }) },
      'spec.jobTemplate.spec.template.spec.containers[0].image is required and missing',
    ],
    [
      'a number out of range',
      { distribution: { name: 'skewLate', params: { shape: 0 } } },
      'spec.distribution.params.shape must be a number above 0 and at most 1000, got 0',
    ],
  ])('reports %s', (_, spec, message) => {
    expect(messages(withSpec(spec))).toEqual([message])
  })

  it('sees that a missing field is there under another name', () => {
    const template = { spec: { template: { spec: { restartPolicy: 'Never', container: [] } } } }
    expect(messages(withSpec({ jobTemplate: template }))).toEqual([
      'spec.jobTemplate.spec.template.spec.containers is required and missing; ' +
        'is "container" meant to be it?',
    ])
  })

  it('says once what both the schema and core would say', () => {
    const found = checkKronJob(withSpec({ window: { durration: '3h' } }))
    expect(found).toHaveLength(1)
    expect(found[0]!.path).toEqual(['spec', 'window', 'durration'])
  })

  it('points at a parameter whose name has a dot', () => {
    const found = checkKronJob(withSpec({ distribution: { params: { 'a.b': 1 } } }))
    expect(found.map(({ path }) => path)).toEqual([['spec', 'distribution', 'params', 'a.b']])
  })

  it('wants a container to have another name than those before it that prepare for it', () => {
    const container = { name: 'a', image: 'x' }
    const template = jobTemplate({ initContainers: [container], containers: [container] })
    expect(messages(withSpec({ jobTemplate: template }))).toEqual([
      'spec.jobTemplate.spec.template.spec.containers[0].name is "a" again; ' +
        'each container needs a name of its own',
    ])
  })

  it('wants each container to have its own name', () => {
    const containers = ['a', 'a', 'B_'].map((name) => ({ name, image: 'x' }))
    expect(messages(withSpec({ jobTemplate: jobTemplate({ containers }) }))).toEqual([
      expect.stringContaining('containers[1].name is "a" again'),
      expect.stringContaining('containers[2].name must be'),
    ])
  })

  it('accepts a name that the server is to make up', () => {
    expect(checkKronJob({ ...kronJobManifest(), metadata: { generateName: 'a-' } })).toEqual([])
    expect(messages({ ...kronJobManifest(), metadata: {} })).toEqual([
      'metadata.name is required and missing',
    ])
  })

  it.each([null, undefined, 1, 'text', [], {}, { spec: null }, { spec: [] }, { metadata: 1 }])(
    'never throws, also not for %j',
    (value) => {
      expect(checkKronJob(value).length).toBeGreaterThan(0)
    },
  )
})
