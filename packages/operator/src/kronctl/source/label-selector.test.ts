import { describe, expect, it } from 'vitest'
import { runInMemory } from '../../../testing/kronctl/memory-world.js'
import { cronJobObject, kronJobObject } from '../../../testing/kronctl/samples.js'
import { kronJobs } from '../../kube/index.js'
import { cronJobs } from '../import/cron-job.js'

const labelled = (name: string, team: string, namespace = 'shop') => {
  const object = kronJobObject(name, {}, namespace)
  return { ...object, metadata: { ...object.metadata, labels: { team } } }
}

const cronJob = cronJobObject('nightly')
const objects = [
  [kronJobs, labelled('a', 'blue')],
  [kronJobs, labelled('b', 'red')],
  [kronJobs, labelled('c', 'red', 'blog')],
  [cronJobs, { ...cronJob, metadata: { ...cronJob.metadata, labels: { team: 'red' } } }],
  [cronJobs, cronJobObject('daily')],
] as const

const identities = (text: string): string[] => text.match(/^(shop|blog)\/\w+/gm) ?? []

describe.each(['next', 'explain'])('kronctl %s -l', (command) => {
  it('is about those with the labels', async () => {
    const run = await runInMemory([command, '-l', 'team=red'], { objects })
    expect(run.exitCode).toBe(0)
    expect(identities(run.stdout)).toEqual(['shop/b'])
    const all = await runInMemory([command, '-A', '-l', 'team in (red, green)'], { objects })
    expect(identities(all.stdout)).toEqual(['blog/c', 'shop/b'])
  })

  it.each([
    [['-l', 'team=green'], 'no KronJobs in namespace "shop" with labels "team=green"'],
    [['-l', 'team=red', 'b'], '-l can not be used with names'],
    [
      ['-l', 'team=red', '-f', 'a.yaml'],
      '-l can not be used with -f: the cluster knows the labels',
    ],
    [
      ['-l', '=red'],
      '-l is not understood: unable to parse requirement: =red\n' +
        'hint: such as app=shop, tier!=test, app in (shop,blog), or app alone',
    ],
  ])('refuses %j', async (args, message) => {
    const run = await runInMemory([command, ...args], { objects })
    expect(run).toMatchObject({ exitCode: 1, stdout: '', stderr: `kronctl: ${message}\n` })
  })
})

describe('kronctl -l', () => {
  it('chooses what is simulated', async () => {
    const run = await runInMemory(['simulate', '-A', '-l', 'team=red'], { objects })
    expect(run.stdout).toMatch(/^2 jobs/)
  })

  it('chooses what is imported', async () => {
    const run = await runInMemory(['import', '-l', 'team'], { objects })
    expect(run.stdout.match(/^ {2}name: .*$/gm)).toEqual(['  name: nightly'])
  })
})
