import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { dueNow, KrondHome } from './krond-home.js'
import { KrondProcess } from './krond-process.js'

let home: KrondHome
beforeEach(() => {
  home = new KrondHome()
})
afterEach(() => home.remove())

const secrets = ['wonderland', 'looking-glass', 'jabberwock']

/** Jobs of many kinds, with secrets in their environment, command line and shell text. */
function manyJobs(): string[] {
  const [environment, word, shell] = secrets
  const script = home.file('talk.sh', 'echo "to stdout"; echo "to stderr" >&2; exit 3\n')
  return [
    `${dueNow} name=talk command="/bin/sh ${script} ${word}" env=TOKEN=${environment}`,
    `${dueNow} name=shell command="test ${shell} = x; true" shell=true`,
    `${dueNow} name=file command="/bin/sh ${script}" stdout=file:${home.folder}/out stderr=discard`,
    `${dueNow} name=discard command="/bin/sh ${script}" stdout=discard stderr=discard`,
    `${dueNow} name=broken command="/no/such/program ${word}" env=TOKEN=${environment}`,
    `${dueNow} @only(dates=2001-01-01..2001-12-31) name=never command="/bin/true ${word}"`,
    `0 0 1 1 * @policy(first=run) name=missed command="/bin/true ${word}"`,
  ]
}

async function lived(...options: string[]): Promise<KrondProcess> {
  home.jobs(...manyJobs())
  const daemon = home.start(...options)
  const ended = ['talk', 'shell', 'file', 'discard'].map((name) =>
    daemon.event('completed', { identity: `${home.krontab}:${name}` }),
  )
  await Promise.all(ended)
  await daemon.event('error', { identity: `${home.krontab}:broken` })
  daemon.kill('SIGTERM')
  expect(await daemon.ended).toBe(0)
  return daemon
}

describe('the JSON log of a daemon', () => {
  it('has the output of jobs with identity and period, and proves its contract', async () => {
    const daemon = await lived()
    const { period_id } = await daemon.event('started', { identity: `${home.krontab}:talk` })
    const about = { identity: `${home.krontab}:talk`, period_id, level: 'info' }
    expect(daemon.events('output')).toHaveLength(2)
    expect(daemon.events('output')).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ ...about, stream: 'stdout', line: 'to stdout' }),
        expect.objectContaining({ ...about, stream: 'stderr', line: 'to stderr' }),
      ]),
    )
    expect(readFileSync(join(home.folder, 'out'), 'utf8')).toBe('to stdout\n')
    expect(daemon.events('constraint_unsatisfiable')).toMatchObject([{ level: 'warn' }])
    expect(daemon.events('missed_deadline')).toMatchObject([{ level: 'info', outcome: 'missed' }])
    expect(daemon.events('error')).toMatchObject([
      {
        identity: `${home.krontab}:broken`,
        period_id,
        component: 'krond',
        error_type: 'ExecutionError',
        operation: 'start_process',
      },
    ])
    const log = home.file('krond.jsonl', daemon.stdout)
    const audit = await home.krond('audit', log, '--format', 'json')
    expect(audit.code, audit.stdout).toBe(0)
    expect(JSON.parse(audit.stdout)).toMatchObject({ violations: [] })
    const [line] = daemon.events('completed')
    home.file('krond.jsonl', `${daemon.stdout}${JSON.stringify({ ...line, event: 'started' })}\n`)
    expect((await home.krond('audit', log)).code).not.toBe(0)
  })

  it('never has environment values or command lines', async () => {
    const daemon = await lived('--log-level', 'debug')
    for (const secret of secrets) {
      expect(daemon.stdout).not.toContain(secret)
      expect(daemon.stderr).not.toContain(secret)
    }
  })
})

describe('the text log of a daemon', () => {
  it('has a line of pairs for each event', async () => {
    home.jobs(...manyJobs())
    const args = ['start', '--file', home.krontab, '--state', home.state]
    const daemon = new KrondProcess(args, { cwd: home.folder })
    while (!/event=completed .*:discard/.test(daemon.stdout)) await daemon.more()
    daemon.kill('SIGTERM')
    expect(await daemon.ended).toBe(0)
    const lines = daemon.stdout.trimEnd().split('\n')
    const shape =
      /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z level=(info|warn|error) component=krond event=[a-z_]+( [a-z_.]+=("([^"\\]|\\.)*"|[^\s"]+))*$/
    for (const line of lines) expect(line).toMatch(shape)
    expect(lines[0]).toMatch(
      / event=start version=\S+ tzdata=\S+ state=\S+ jobs=7 pid=\d+ log_version=2 boot_id=\S+$/,
    )
    expect(daemon.stdout).toMatch(/ event=output .* stream=stdout line="to stdout"$/m)
    for (const secret of secrets) expect(daemon.stdout).not.toContain(secret)
  })
})
