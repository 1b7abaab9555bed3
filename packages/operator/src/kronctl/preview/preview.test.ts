import { describe, expect, it } from 'vitest'
import { runInMemory } from '../../../testing/kronctl/memory-world.js'
import { kronJobObject, kronJobYaml } from '../../../testing/kronctl/samples.js'
import { kronJobs } from '../../kube/index.js'

const windowed = kronJobYaml(
  'backup',
  '0 3 * * *',
  'timezone: Europe/Paris',
  'window: {duration: 2h}',
)
const files = { '/home/ada/backup.yaml': windowed }

describe('kronctl next', () => {
  it('lists the runs of a KronJob in a file, without a cluster', async () => {
    const run = await runInMemory(['next', '-f', 'backup.yaml', '-n', 'shop', '--limit', '2'], {
      files,
    })
    expect(run).toMatchObject({ exitCode: 0, connections: [] })
    expect(run.stderr).toBe(
      'kronctl: namespace "shop" (from -n) is assumed for 1 KronJob without one\n',
    )
    expect(run.stdout).toMatch(
      /^shop\/backup {2}0 3 \* \* \* @tz\(Europe\/Paris\) @win\(after,2h\)\n/,
    )
    expect(run.stdout.split('\n').filter((line) => line.startsWith('2026-'))).toHaveLength(2)
  })

  it('takes dates in the zone of the KronJob', async () => {
    const dates = ['--from', '2026-03-29', '--until', '2026-03-30']
    const run = await runInMemory(['next', '-f', 'backup.yaml', '-n', 'shop', ...dates], { files })
    const [line, ...others] = run.stdout.split('\n').filter((text) => text.startsWith('2026-'))
    expect(line).toMatch(/^2026-03-29T01:00:00Z /)
    expect(others).toEqual([])
  })

  it('gives the same times for the same identity in a cluster', async () => {
    const spec = { timezone: 'Europe/Paris', window: { duration: '2h' } }
    const args = ['--limit', '5', '--format', 'json']
    const inCluster = await runInMemory(['next', 'backup', ...args], {
      objects: [[kronJobs, kronJobObject('backup', spec)]],
    })
    const inFile = await runInMemory(['next', '-f', 'backup.yaml', '-n', 'shop', ...args], {
      files,
    })
    expect(inCluster.stdout).toBe(inFile.stdout)
    expect(inCluster.isClosed).toBe(true)
    const elsewhere = await runInMemory(['next', '-f', 'backup.yaml', '-n', 'x', ...args], {
      files,
    })
    expect(elsewhere.stdout).not.toBe(inFile.stdout)
  })

  it.each([
    [{}, 'namespace "default" (none is named)'],
    [{ KUBECONFIG: '/none:/home/ada/config' }, 'namespace "team" (of context work)'],
  ])('assumes a namespace with %j and says so', async (env, said) => {
    const config = `
current-context: work
contexts:
  - name: home
    context: {namespace: hobby}
  - name: work
    context: {namespace: team}
`
    const { stderr } = await runInMemory(['next', '-f', 'backup.yaml'], {
      files: { ...files, '/home/ada/config': config },
      env,
    })
    expect(stderr).toContain(said)
  })

  it('lists all of a namespace, or of all namespaces', async () => {
    const objects = [
      [kronJobs, kronJobObject('a')],
      [kronJobs, kronJobObject('b')],
      [kronJobs, kronJobObject('a', {}, 'other')],
    ] as const
    const names = async (...args: string[]) => {
      const run = await runInMemory(['next', '--format', 'json', ...args], { objects })
      return JSON.parse(run.stdout).map(({ job }: { job: string }) => job)
    }
    expect(await names()).toEqual(['shop/a', 'shop/b'])
    expect(await names('-n', 'other')).toEqual(['other/a'])
    expect(await names('-A')).toEqual(['other/a', 'shop/a', 'shop/b'])
    expect(await names('-A', 'a')).toEqual(['other/a', 'shop/a'])
    expect(await names('other/a', 'b')).toEqual(['other/a', 'shop/b'])
  })

  it('reads lists, several documents and standard input, and passes over other kinds', async () => {
    const list = JSON.stringify({
      apiVersion: 'v1',
      kind: 'List',
      items: [kronJobObject('a'), { apiVersion: 'v1', kind: 'Service', metadata: { name: 'x' } }],
    })
    const { exitCode, stdout, stderr } = await runInMemory(
      ['next', '-f', '-', '-f', 'backup.yaml', '--format', 'json'],
      { input: list, files },
    )
    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)).toHaveLength(2)
    expect(stderr).toContain('kronctl: ignored 1 other object: 1 Service\n')
  })

  it('leaves out what is invalid, shows where, and fails', async () => {
    const text = `${windowed}---\n${kronJobYaml('broken', '0 25 * * *')}`
    const run = await runInMemory(['next', '-f', 'two.yaml', '--limit', '1'], {
      files: { '/home/ada/two.yaml': text },
    })
    expect(run.exitCode).toBe(2)
    expect(run.stdout).toContain('default/backup')
    expect(run.stderr).toContain('1 error, the KronJobs concerned are left out')
    expect(run.stderr).toContain('two.yaml:23:13: error:')
  })

  it('leaves out what is invalid in the cluster, and fails', async () => {
    const objects = [
      [kronJobs, kronJobObject('good')],
      [kronJobs, kronJobObject('bad', { schedule: '0 25 * * *' })],
    ] as const
    const { exitCode, stdout, stderr } = await runInMemory(['next'], { objects })
    expect(exitCode).toBe(2)
    expect(stdout).toMatch(/^shop\/good /)
    expect(stderr).toMatch(/^kronctl: shop\/bad is invalid: spec\.schedule/)
    const alone = await runInMemory(['next', 'bad'], { objects })
    expect(alone.exitCode).toBe(2)
    expect(alone.stderr).toContain('kronctl: no valid KronJobs in namespace "shop"\n')
  })

  it('does not need the Pods to be right', async () => {
    const text = windowed.replace('restartPolicy: Never', 'restartPolicy: Always')
    const files = { '/home/ada/a.yaml': text }
    expect(await runInMemory(['next', '-f', 'a.yaml'], { files })).toMatchObject({ exitCode: 0 })
  })

  it('says which names there are when one is unknown', async () => {
    const objects = [[kronJobs, kronJobObject('backup')]] as const
    expect(await runInMemory(['next', 'bakcup'], { objects })).toMatchObject({
      exitCode: 1,
      stderr: 'kronctl: no KronJob "bakcup" in namespace "shop"; did you mean backup?\n',
      isClosed: true,
    })
    expect(await runInMemory(['next', 'x'], { objects })).toMatchObject({
      exitCode: 1,
      stderr: 'kronctl: no KronJob "x" in namespace "shop"\nhint: there are backup\n',
    })
    const inFile = await runInMemory(['next', 'x', '-f', 'backup.yaml'], { files })
    expect(inFile.exitCode).toBe(1)
    expect(inFile.stderr).toContain('no KronJob "x" in backup.yaml\nhint: there are backup\n')
  })

  it('uses colours on terminals only', async () => {
    const args = ['next', '-f', 'backup.yaml']
    const coloured = await runInMemory(args, { files, isTerminal: true })
    expect(coloured.stdout).toContain('\u001b[')
    const without = await runInMemory([...args, '--no-color'], { files, isTerminal: true })
    expect(without.stdout).not.toContain('\u001b[')
    const piped = await runInMemory(args, { files })
    expect(piped.stdout).toBe(without.stdout)
  })
})

describe('kronctl explain', () => {
  it('shows every step of the period that is asked for', async () => {
    const args = ['explain', '-f', 'backup.yaml', '--at', '2026-03-01T04:00:00Z']
    const { exitCode, stdout } = await runInMemory(args, { files })
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/^default\/backup\n/)
    expect(stdout).toContain('nominal  2026-03-01T02:00:00Z  2026-03-01 03:00:00 +01:00')
    expect(stdout).toContain('"default/backup\\n2026-03-01T02:00:00Z\\n"')
  })

  it.each([
    ['has passed', '2026-02-28T04:00:00Z', false],
    ['is to come', '2026-03-01T04:00:00Z', true],
  ])('says whether the controller answers for a period that %s', async (_, at, isOurs) => {
    const objects = [[kronJobs, kronJobObject('a')]] as const
    const { stdout } = await runInMemory(['explain', 'a', '--at', at], { objects })
    expect(stdout).toContain('since  2026-03-01T00:00:01Z, with the present timing\n')
    expect(stdout.includes('not started: this period was due before that')).toBe(!isOurs)
    const json = await runInMemory(['explain', 'a', '--at', at, '--format', 'json'], { objects })
    expect(JSON.parse(json.stdout)).toMatchObject([
      { responsibleSince: '2026-03-01T00:00:01Z', responsible: isOurs },
    ])
  })

  it('says nothing of that where there is no controller', async () => {
    const args = ['explain', '-f', 'backup.yaml', '--format', 'json']
    const { stdout } = await runInMemory(args, { files })
    expect(JSON.parse(stdout)).toMatchObject([{ responsibleSince: null }])
  })

  it('advises in the words of manifests', async () => {
    const spec = {
      window: { duration: '2h' },
      constraints: { only: ['between=03:00-03:01'] },
    }
    const objects = [[kronJobs, kronJobObject('a', spec)]] as const
    const { stdout } = await runInMemory(['next', 'a', '--limit', '100'], { objects })
    expect(stdout).toContain('unschedulable: no time satisfied the constraints; kronctl explain')
    const first = /^(\S+)\s+unschedulable/m.exec(stdout)![1]!
    const explained = await runInMemory(['explain', 'a', '--at', first], { objects })
    expect(explained.stdout).toContain('Add sample: exact to spec.distribution, widen the window')
  })
})

describe('kronctl simulate', () => {
  it('counts starts with and without windows and draws them', async () => {
    const objects = Array.from({ length: 20 }, (_, index) => {
      const spec = { window: { duration: index < 15 ? '2h' : '0s' } }
      return [kronJobs, kronJobObject(`job-${index}`, spec)] as const
    })
    const run = await runInMemory(['simulate', '--out', 'load.svg'], { objects })
    expect(run.exitCode).toBe(0)
    expect(run.stdout).toContain('20 jobs, 15 with a window; starts in each minute')
    expect(run.stdout).toContain('add one such as spec.window: {duration: 30m}')
    expect(run.stdout).toContain('wrote load.svg')
    expect(run.written.get('/home/ada/load.svg')).toMatch(/^<svg /)
  })

  it('says when there is nothing to simulate', async () => {
    expect(await runInMemory(['simulate'], { objects: [] })).toMatchObject({
      exitCode: 1,
      stderr: 'kronctl: no KronJobs in namespace "shop"\n',
    })
  })
})
