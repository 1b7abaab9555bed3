import { describe, expect, it } from 'vitest'
import { runInMemory } from '../../../testing/kronctl/memory-world.js'
import { kronJobYaml } from '../../../testing/kronctl/samples.js'

const validate = (text: string, ...args: string[]) =>
  runInMemory(['validate', '-f', 'a.yaml', ...args], { files: { '/home/ada/a.yaml': text } })

describe('kronctl validate', () => {
  it('has nothing to say about good manifests but how many they are', async () => {
    const { exitCode, stdout, stderr, connections } = await validate(
      `${kronJobYaml('a')}---\n${kronJobYaml('b')}`,
    )
    expect({ exitCode, stdout, stderr, connections }).toEqual({
      exitCode: 0,
      stdout: '1 file, 2 KronJobs, 0 errors, 0 warnings\n',
      stderr: '',
      connections: [],
    })
  })

  it('marks each problem in its line', async () => {
    const { exitCode, stdout } = await validate(
      kronJobYaml('a', '0 3 * * *', 'timezon: UTC', 'policy:', '  deadline: soon'),
    )
    expect(exitCode).toBe(2)
    expect(stdout).toBe(
      [
        'a.yaml:7:3: error: spec.timezon is an unknown field; did you mean timezone? ' +
          '[KRON_FIELD_UNKNOWN]',
        '    timezon: UTC',
        '    ^~~~~~~',
        '',
        'a.yaml:9:15: error: spec.policy.deadline must be a duration such as 1h30m, 45s or 500ms,' +
          ' got "soon": a number is missing [KRON_DURATION_INVALID]',
        '      deadline: soon',
        '                ^~~~',
        '',
        '1 file, 1 KronJob, 2 errors, 0 warnings',
        '',
      ].join('\n'),
    )
  })

  it('knows what a Job may be, without a cluster', async () => {
    const { exitCode, stdout, connections } = await validate(
      kronJobYaml('a')
        .trimEnd()
        .concat(
          '\n              comand: [echo]',
          '\n              env: [{name: A, value: 1}]',
          '\n              resources: {limits: {memory: 1Gb}}\n',
        ),
    )
    expect(exitCode).toBe(2)
    expect(connections).toEqual([])
    const container = 'spec.jobTemplate.spec.template.spec.containers[0]'
    const errors = stdout.split('\n').filter((line) => line.startsWith('a.yaml:'))
    expect(errors.map((line) => line.replace(/^\S+ /, ''))).toEqual([
      `error: ${container}.comand is unknown to Kubernetes 1.36; did you mean command? ` +
        '[KRON_FIELD_UNKNOWN]',
      `error: ${container}.env[0].value must be text, got 1; in quotes it is: "1" ` +
        '[KRON_FIELD_INVALID]',
      `error: ${container}.resources.limits.memory must be an amount such as 500m, 2 or 1Gi, ` +
        'got "1Gb"; did you mean 1Gi or 1G? [KRON_FIELD_INVALID]',
    ])
  })

  it('warns of a field that a newer Kubernetes may know', async () => {
    const newer = `${kronJobYaml('a').trimEnd()}\n              quantumEntanglement: true\n`
    const { exitCode, stdout } = await validate(newer)
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(
      /warning: \S+quantumEntanglement is unknown to Kubernetes 1\.36 \[KRON_WARN_TEMPLATE_FIELD\]/,
    )
    expect((await validate(newer, '--strict')).exitCode).toBe(2)
  })

  it('refuses what can never run, and warns of what has run for the last time', async () => {
    const only = (clause: string): string => `constraints: {only: ["${clause}"]}`
    const never = await validate(kronJobYaml('a', '0 12 * * *', only('hours=3')))
    expect(never.exitCode).toBe(2)
    expect(never.stdout).toMatch(
      /error: spec\.constraints: .* never runs: .*\[KRON_SCHEDULE_NEVER\]/,
    )
    const over = await validate(kronJobYaml('a', '0 12 * * *', only('date=2020-01-01')))
    expect(over.exitCode).toBe(0)
    expect(over.stdout).toContain('the job has run for the last time [KRON_WARN_NEVER_ALLOWED]')
    const rare = await validate(kronJobYaml('a', '* * * * *', only('months=6')))
    expect(rare.stdout).not.toContain('KRON_WARN_NEVER_ALLOWED')
  })

  it('marks the nearest place of a field that is missing', async () => {
    const { stdout } = await validate(kronJobYaml('a').replace(/ {2}schedule.*\n/, ''))
    expect(stdout).toContain('a.yaml:5:1: error: spec.schedule is required and missing')
  })

  it('finds places in flow style, behind aliases and in lists', async () => {
    const text = `kind: List
apiVersion: v1
items:
  - {apiVersion: kron.io/v1alpha1, kind: KronJob, metadata: {name: a},
     spec: {schedule: "0 25 * * *",
     policy: &p {suspend: maybe}, jobTemplate: &t {spec: {template: {spec: {restartPolicy: Never,
     containers: [{name: a, image: b}]}}}}}}
  - {apiVersion: kron.io/v1alpha1, kind: KronJob, metadata: {name: b},
     spec: {schedule: "0 3 * * *",
     policy: *p, jobTemplate: *t}}
`
    const { stdout } = await validate(text, '--format', 'json')
    const { findings } = JSON.parse(stdout)
    const places = findings.map(
      ({ line, column, length }: Record<string, number>) => `${line}:${column}+${length}`,
    )
    expect(places).toEqual(['5:23+12', '6:27+5', '6:27+5'])
  })

  it('says where YAML ends to be YAML, and checks the other documents', async () => {
    const { exitCode, stdout } = await validate(`a: [1\nb: 2\n---\n${kronJobYaml('a', 'x')}`)
    expect(exitCode).toBe(2)
    expect(stdout).toMatch(/^a\.yaml:2:1: error: not YAML: .* \[KRON_MANIFEST_SYNTAX\]/)
    expect(stdout).toContain('spec.schedule')
  })

  it.each([
    ['just text', 'a manifest must be an object with apiVersion, kind and metadata'],
    ['a: 1', 'a manifest must be an object with apiVersion, kind and metadata'],
    ['a: 1\na: 2', 'not YAML: Map keys must be unique'],
  ])('refuses %j', async (text, message) => {
    const { exitCode, stdout } = await validate(text)
    expect(exitCode).toBe(2)
    expect(stdout).toContain(message)
  })

  it('says once that a schedule which begins with a star goes in quotes', async () => {
    const text = kronJobYaml('a').replace('"0 3 * * *"', '* * * * *')
    expect(text).toContain('schedule: * * * * *')
    const { exitCode, stdout } = await validate(text)
    expect(exitCode).toBe(2)
    expect(stdout).toContain('must be in quotes, such as "* * * * *" [KRON_MANIFEST_SYNTAX]')
    expect(stdout).toContain('1 file, 0 KronJobs, 1 error, 0 warnings')
  })

  it.each([
    [
      '0 0 3 * * *',
      'the cron expression must have exactly 5 fields, got 6; the first field is the',
    ],
    ['0 24 * * *', 'hour field has the value 24, outside of 0-23 ['],
  ])('says of %j what is wrong with it, without repeating it', async (schedule, words) => {
    const { stdout } = await validate(kronJobYaml('a', schedule))
    expect(stdout).toContain(`a.yaml:6:13: error: spec.schedule: ${words}`)
  })

  it('knows the kind in other letters', async () => {
    const { exitCode, stderr } = await validate(kronJobYaml('a').replace('KronJob', 'Kronjob'))
    expect(exitCode).toBe(1)
    expect(stderr).toContain('hint: the kind is written KronJob, not Kronjob\n')
  })

  it('refuses two KronJobs of one name, wherever they are', async () => {
    const other = kronJobYaml('a').replace('name: a', 'name: a\n  namespace: default')
    const { exitCode, stdout } = await runInMemory(['validate', '-f', '.'], {
      files: { '/home/ada/1.yaml': kronJobYaml('a'), '/home/ada/2.yml': other },
    })
    expect(exitCode).toBe(2)
    expect(stdout).toContain(
      '2.yml:4:9: error: default/a is already in /home/ada/1.yaml:4 [KRON_NAME_REPEATED]',
    )
  })

  it('warns of likely mistakes, at the fields that say it', async () => {
    const text = kronJobYaml(
      'a',
      '30 2 31 * *',
      'timezone: Europe/Paris',
      'seed: {strategy: daily}',
      'policy: {concurrency: replace, deadline: 10s}',
    )
    const { exitCode, stdout } = await validate(text)
    expect(exitCode).toBe(0)
    expect(stdout).toContain('a.yaml:6:19: warning: day 31 does not exist in February')
    expect(stdout).toContain('a.yaml:8:3: warning: spec.seed has no effect')
    expect(stdout).toContain('fix: add a window such as spec.window: {duration: 1h}')
    expect(stdout).toContain('a.yaml:9:25: warning: replace waits until the running Job is gone')
    expect(await validate(text, '--strict')).toMatchObject({ exitCode: 2 })
  })

  it('warns of a time that the clock skips', async () => {
    const { stdout } = await validate(kronJobYaml('a', '30 2 * * *', 'timezone: Europe/Paris'))
    expect(stdout).toContain('02:30 does not exist on 2026-03-29')
    expect(stdout).toContain('or spec.timezone: UTC')
  })

  it('warns of crowds', async () => {
    const text = Array.from({ length: 12 }, (_, index) => kronJobYaml(`a${index}`)).join('---\n')
    expect((await validate(text)).stdout).toContain('12 jobs without a window start in the same')
  })

  it('gives programs the same as JSON', async () => {
    const { stdout } = await validate(kronJobYaml('a', '0 3 * *'), '--format', 'json')
    expect(JSON.parse(stdout)).toMatchObject({
      files: 1,
      kronJobs: 1,
      errors: 1,
      warnings: 0,
      findings: [{ file: '/home/ada/a.yaml', line: 6, column: 13, code: 'KRON_CRON_INVALID' }],
    })
  })

  it('does not take a file without KronJobs for a good one', async () => {
    const { exitCode, stderr } = await validate('kind: CronJob\napiVersion: batch/v1\n')
    expect(exitCode).toBe(1)
    expect(stderr).toContain('kronctl: ignored 1 other object: 1 CronJob\n')
    expect(stderr).toContain('hint: kronctl import converts CronJobs to KronJobs\n')
    expect(stderr).toContain('kronctl: no KronJobs in a.yaml\n')
  })

  it('lets nothing of a file drive the terminal', async () => {
    const text = `${kronJobYaml('"\\e[2J"')}---\n{kind: "\\e[2J", apiVersion: v1}\n`
    const { exitCode, stdout, stderr } = await validate(`${text}---\n${text}`)
    expect(exitCode).toBe(2)
    expect(stdout + stderr).not.toContain('\u001b')
  })

  it('does not unfold what would fill the memory', async () => {
    const lines = Array.from({ length: 12 }, (_, index) => {
      const before = index === 0 ? '1' : `*a${index - 1}`
      return `a${index}: &a${index} [${Array.from({ length: 9 }, () => before).join(', ')}]`
    })
    const { exitCode, stdout } = await validate(`kind: KronJob\n${lines.join('\n')}\n`)
    expect(exitCode).toBe(2)
    expect(stdout).toContain('Excessive alias count')
  })

  it('reads YAML as kubectl does', async () => {
    const text = kronJobYaml('a', '0 3 * * *', 'policy: {suspend: yes}').replace(
      'containers:',
      'volumes: [{name: v, configMap: {name: c, defaultMode: 0644}}]\n          containers:',
    )
    expect(await validate(text, '--strict')).toMatchObject({ exitCode: 0 })
  })
})
