import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { root } from '../package/published.ts'

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>
  readonly jobs: Readonly<Record<string, Job>>
}

interface Job {
  readonly 'timeout-minutes': number
  readonly permissions?: Readonly<Record<string, string>>
  readonly steps: readonly { readonly uses?: string; readonly run?: string }[]
}

const read = (path: string): string => readFileSync(`${root}/${path}`, 'utf8')
const workflow = (name: string): Workflow => parse(read(`.github/workflows/${name}.yml`))
const commands = ({ steps }: Job): string => steps.map(({ run }) => run ?? '').join('\n')

describe.each(['test', 'release'])('the workflow %s', (name) => {
  const { permissions, jobs } = workflow(name)

  it('may read, and nothing else unless a job says so', () => {
    expect(permissions).toEqual({ contents: 'read' })
    for (const job of Object.values(jobs)) expect(job['timeout-minutes']).toBeGreaterThan(0)
  })

  it('runs only scripts and reads only files that are there', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
    const text = Object.values(jobs).map(commands).join('\n')
    const called = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, script]) => script!)
    expect(called.filter((script) => scripts[script] === undefined)).toEqual([])
    const files = [...text.matchAll(/(?<=^|\s)(?:\.ci|deploy|tools)\/[\w./-]+/gm)].map(
      ([path]) => path,
    )
    expect(files).not.toHaveLength(0)
    expect(files.filter((path) => !existsSync(`${root}/${path}`))).toEqual([])
  })
})

it('CI runs on GitHub what it runs everywhere, and releases with provenance', () => {
  expect(commands(workflow('test').jobs['test']!)).toContain('.ci/run')
  const release = workflow('release').jobs['release']!
  expect(release.permissions).toMatchObject({ 'id-token': 'write' })
  const order = ['npm ci', 'npm run release', 'tools/release/publish.ts', 'gh release create']
  const text = commands(release)
  const places = order.map((each) => text.indexOf(each))
  expect(places).toEqual(places.toSorted((one, other) => one - other))
  expect(Math.min(...places)).toBeGreaterThanOrEqual(0)
  expect(read('tools/release/publish.ts')).toContain('--provenance')
})
