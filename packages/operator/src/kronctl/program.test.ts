import { describe, expect, it } from 'vitest'
import { runInMemory } from '../../testing/kronctl/memory-world.js'
import { cronJobObject, kronJobObject, kronJobYaml } from '../../testing/kronctl/samples.js'
import { type KubeObject, kronJobs } from '../kube/index.js'
import { cronJobs } from './import/cron-job.js'
import type { ProgramName } from './invocation.js'

const commands = [
  'next',
  'explain',
  'simulate',
  'validate',
  'import',
  'suspend',
  'resume',
  'run',
] as const

/** Lines of a help text that can be typed as they stand, split as a shell would. */
function examplesIn(text: string, program: ProgramName): string[][] {
  return text.split('\n').flatMap((line) => {
    const start = line.indexOf(`${program} `)
    if (!line.startsWith('  ') || start < 0) return []
    const [command = ''] = line
      .slice(start)
      .trim()
      .split(/\s{3,}/)
    return [command.slice(program.length + 1).split(' ')]
  })
}

const ofTeam = (object: KubeObject): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, labels: { team: 'shop' } },
})

const world = {
  files: {
    '/home/ada/kronjobs.yaml': kronJobYaml('backup'),
    '/home/ada/cronjobs.yaml': JSON.stringify(cronJobObject('nightly')),
    '/home/ada/manifests/a.yaml': kronJobYaml('a'),
  },
  input: kronJobYaml('backup'),
  objects: [
    [kronJobs, ofTeam(kronJobObject('backup'))],
    [cronJobs, ofTeam(cronJobObject('nightly'))],
  ],
} as const

describe('kronctl', () => {
  it('shows its help and fails without a command', async () => {
    const { exitCode, stdout } = await runInMemory([])
    expect(exitCode).toBe(1)
    expect(stdout).toMatch(/^Usage: kronctl \[options\] \[command\]/)
  })

  it('prints its version and that of its time zones', async () => {
    const { exitCode, stdout } = await runInMemory(['--version'])
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/^kronctl \d+\.\d+\.\d+ \(tzdata \d{4}\w\)\n$/)
  })

  it('is called kubectl kron as a plugin', async () => {
    const { stdout } = await runInMemory(['--help'], { name: 'kubectl kron' })
    expect(stdout).toMatch(/^Usage: kubectl kron \[options\] \[command\]/)
    expect(stdout).not.toMatch(/kronctl|completion/)
    const { stdout: help } = await runInMemory(['next', '--help'], { name: 'kubectl kron' })
    expect(help).toMatch(/^Usage: kubectl kron next \[options\] \[names\.\.\.\]/)
    const { stderr } = await runInMemory(['nxt'], { name: 'kubectl kron' })
    expect(stderr).toBe(
      'kubectl kron: unknown command "nxt"; did you mean next?\n' +
        'hint: kubectl kron --help shows how it is used\n',
    )
  })

  it.each(commands)('has a help for %s with examples that work as they stand', async (name) => {
    const { exitCode, stdout } = await runInMemory([name, '--help'])
    expect(exitCode).toBe(0)
    const examples = examplesIn(stdout, 'kronctl')
    expect(examples.length).toBeGreaterThan(1)
    for (const args of examples) {
      // What is there already is not overwritten, so the file of the example is not.
      const isWritten = args.includes('--out')
      const files = isWritten ? { ...world.files, '/home/ada/kronjobs.yaml': '' } : world.files
      const { '/home/ada/kronjobs.yaml': present, ...others } = files
      const run = await runInMemory(args, {
        ...world,
        files: present === '' ? others : files,
      })
      expect([args, run.exitCode, run.stderr]).toEqual([args, 0, expect.anything()])
    }
  })

  it('has examples for the program that work as they stand', async () => {
    const examples = examplesIn((await runInMemory(['--help'])).stdout, 'kronctl').filter(
      ([first]) => first !== '--help',
    )
    expect(examples).toHaveLength(3)
    for (const args of examples.slice(0, 2)) {
      expect(await runInMemory(args, world)).toMatchObject({ exitCode: 0 })
    }
  })

  it.each([
    [['next', '--limit', '0', '-f', 'kronjobs.yaml'], '--limit must be a whole number from 1'],
    [['next', '--from', 'tomorrow'], '--from must be an RFC 3339 time'],
    [['simulate', '--out', 'a.gif'], '--out must be the name of an .svg file'],
    [['next', '--format', 'xml'], '--format must be text or json, got "xml"'],
    [['next', '--colour'], 'unknown option "--colour"'],
    [['run'], 'missing required argument "name"'],
    [['validate'], 'no manifests are named'],
    [
      ['next', '-f', 'missing.yaml'],
      'can\'t read "/home/ada/missing.yaml": no such file or folder',
    ],
    [['suspend'], 'no KronJob is named'],
    [['suspend', 'a', '--all'], '--all can not be used with names'],
    [['next', 'a/b/c'], 'a name must be such as backup or shop/backup, got "a/b/c"'],
    [['import', '--window', '1x', '-f', 'cronjobs.yaml'], '--window must be a duration'],
  ])('refuses %j with one line that says why', async (args, message) => {
    const { exitCode, stdout, stderr } = await runInMemory(args, world)
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
    expect(stderr).toContain(`kronctl: ${message}`)
  })

  it('completes its commands in shells', async () => {
    const { exitCode, stdout } = await runInMemory(['completion', 'bash'])
    expect(exitCode).toBe(0)
    expect(stdout).toContain('complete -F _kronctl kronctl')
    expect(stdout).toContain("'simulate --file'")
  })
})
