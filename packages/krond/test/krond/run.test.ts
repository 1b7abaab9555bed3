import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { dueNow, KrondHome } from './krond-home.js'

let home: KrondHome
beforeEach(() => {
  home = new KrondHome()
})
afterEach(() => home.remove())

describe('krond run', () => {
  it('runs a job now, whatever its schedule and state are', async () => {
    const script = home.file('job.sh', 'echo "$GREETING"; echo oh >&2; exit "$1"\n')
    home.jobs(
      `0 0 1 1 * name=good command="/bin/sh ${script} 0" env=GREETING=hello`,
      '0 0 1 1 * name=broken command=/bin/true colour=red',
      `${dueNow} name=bad command="/bin/sh ${script} 5" env=GREETING=hello`,
    )
    const run = (...args: string[]) => home.krond('run', ...args, '--file', home.krontab)
    const [good, bad, json, unknown, broken] = await Promise.all([
      run('good'),
      run('bad'),
      run('bad', '--format', 'json'),
      run('goood'),
      run('broken'),
    ])
    const wrong = `${home.krontab}:2:41: unknown field colour`
    expect(good).toMatchObject({ code: 0, stdout: 'hello\n' })
    expect(good.stderr).toMatch(/^krond: .*unknown field colour.*\noh\n$/)
    expect(bad).toMatchObject({ code: 4, stdout: 'hello\n' })
    expect(bad.stderr).toMatch(/\noh\nkrond: bad exited with 5\n$/)
    expect(broken).toMatchObject({ code: 2, stdout: '' })
    expect(broken.stderr).toContain('krond: the job "broken" has errors, so it is not run\n')
    expect(broken.stderr).toContain(`\n  ${wrong}`)
    expect(JSON.parse(json.stdout)).toEqual({
      identity: `${home.krontab}:bad`,
      exit_code: 5,
      signal: null,
    })
    expect(unknown).toMatchObject({ code: 1, stdout: '' })
    expect(unknown.stderr).toMatch(/\nkrond: no job "goood".*good/)
  })

  it('ends the job when it is ended itself', async () => {
    const script = home.file(
      'job.sh',
      'trap "exit 9" TERM; echo ready; while :; do sleep 0.05; done\n',
    )
    home.jobs(`0 0 1 1 * name=a command="/bin/sh ${script}"`)
    const running = home.command('run', 'a', '--file', home.krontab)
    while (!running.stdout.includes('ready')) await running.more()
    running.kill('SIGTERM')
    expect(await running.ended).toBe(4)
    // A shell may say of its own child that it was ended.
    expect(running.stderr).toMatch(/^(Terminated\n)?krond: a exited with 9\n$/)
  })
})
