import { describe, expect, it } from 'vitest'
import { flawedPods, podWith, soundPods } from '../../../test/job-spec-samples.js'
import { jobSpecProblems, nearQuantity } from './job-spec-problems.js'
import { pathText } from './problem.js'

const messages = (spec: unknown): string[] =>
  jobSpecProblems(spec, []).map(({ message }) => message)

describe('what is wrong with a JobSpec', () => {
  it.each(flawedPods)('is found: %s', (_, spec, message) => {
    expect(messages(spec)).toEqual([message])
  })

  it.each(soundPods)('is nothing: %s', (_, spec) => {
    expect(messages(spec)).toEqual([])
  })

  it('may be right in a newer Kubernetes, where no known field has a name like it', () => {
    const [found] = jobSpecProblems(podWith({ quantumEntanglement: true }), [])
    expect(found).toMatchObject({ isDoubtful: true, code: 'KRON_FIELD_UNKNOWN' })
    expect(found!.message).toMatch(/quantumEntanglement is unknown to Kubernetes 1\.36$/)
    expect(jobSpecProblems(podWith({ comand: ['x'] }), [])[0]).not.toHaveProperty('isDoubtful')
  })

  it('is a port that is there again, TCP if nothing is said', () => {
    const [tcp, udp] = ['TCP', 'UDP'].map((protocol) => ({ containerPort: 80, protocol }))
    expect(messages(podWith({ ports: [{ containerPort: 80 }, tcp] }))).toEqual([
      'template.spec.containers[0].ports[1].containerPort is 80 again',
    ])
    expect(messages(podWith({ ports: [{ containerPort: 80 }, udp] }))).toEqual([])
  })

  it('is told all at once, each at its place', () => {
    const spec = podWith({ comand: ['x'], tty: 'yes', resources: { limits: { cpu: '1 core' } } })
    const places = jobSpecProblems(spec, ['spec']).map(({ path }) => pathText(path))
    const container = 'spec.template.spec.containers[0]'
    expect(places).toEqual([
      `${container}.comand`,
      `${container}.tty`,
      `${container}.resources.limits.cpu`,
    ])
  })

  it.each([null, undefined, 1, 'x', [], {}, { template: null }, { template: [] }])(
    'never makes it throw, also not for %j',
    (spec) => {
      expect(jobSpecProblems(spec, [])).toBeInstanceOf(Array)
    },
  )
})

describe('an amount that is none', () => {
  it.each([
    ['1Gb', '1Gi or 1G'],
    ['512MB', '512Mi or 512M'],
    ['10 kb', '10Ki or 10k'],
    ['2gib', '2Gi'],
    ['1mb', '1Mi or 1M'],
    ['lots', null],
    ['1 core', null],
  ])('%s was probably meant to be %s', (text, near) => {
    expect(nearQuantity(text)).toBe(near)
  })
})
