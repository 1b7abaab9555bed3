import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { formatInstant, type Job } from '@kron/core'
import { describe, expect, it } from 'vitest'
import { type CrontabFormat, parseCrontab } from '../src/crontab/index.js'
import { parseKrontab } from '../src/krontab/index.js'
import { runInMemory } from '../testing/command/memory-host.js'
import { oracleEntries, oracleRuns } from './vixie-oracle.js'

const timezone = 'Asia/Tokyo'
const from = Date.UTC(2026, 1, 10, 5, 3)
const count = 50

const folder = (format: string): string =>
  fileURLToPath(new URL(`crontabs/${format}`, import.meta.url))

const files = (['system', 'user'] as const).flatMap((format: CrontabFormat) =>
  readdirSync(folder(format)).map((name) => ({
    name: `${format}/${name}`,
    format,
    path: format === 'system' ? `/etc/cron.d/${name}` : `/home/ada/${name}`,
    text: readFileSync(`${folder(format)}/${name}`, 'utf8'),
  })),
)

/** Nominal times of the periods in which the job runs at all. */
function runsOf(job: Job): string[] {
  const runs: string[] = []
  let nominal = job.nextPeriod(from - 1)
  while (nominal !== null && runs.length < count) {
    if (job.decide(nominal).chosenTime === nominal) runs.push(formatInstant(nominal))
    nominal = job.nextPeriod(nominal)
  }
  return runs
}

describe('crontabs of the wild', () => {
  it('are many', () => {
    expect(files.length).toBeGreaterThanOrEqual(30)
  })

  describe.each(files)('$name', ({ text, path, format }) => {
    const entries = oracleEntries(text, timezone)
    const expected = entries.map((entry) =>
      oracleRuns(entry, from, count).map((run) => formatInstant(run)),
    )

    it('is read without a problem, and runs when cron runs it', () => {
      const file = parseCrontab(text, path, { format, timezone })
      expect(file.problems).toEqual([])
      expect(file.jobs.map(({ schedulePlace }) => schedulePlace.line)).toEqual(
        entries.map(({ line }) => line),
      )
      expect(file.jobs.map(({ job }) => runsOf(job))).toEqual(expected)
    })

    it('is imported as a krontab that runs the same things at the same times', () => {
      const args = ['import', path, '--timezone', timezone]
      const imported = runInMemory(args, { now: from, files: { [path]: text } })
      expect(imported.exitCode).toBe(0)
      const direct = parseCrontab(text, path, { format, timezone })
      const { jobs, problems } = parseKrontab(imported.stdout, '/etc/krond.d/x.krontab')
      expect(problems).toEqual([])
      expect(jobs.map(({ job }) => runsOf(job))).toEqual(expected)
      for (const [index, job] of jobs.entries()) {
        const { name, user, env, cwd, description, stdin, command } = direct.jobs[index]!
        expect(job).toMatchObject({ env, shell: true })
        expect(name.startsWith(job.name)).toBe(true)
        expect([job.user, job.cwd, job.description]).toEqual([user, cwd, description])
        if (stdin === undefined) expect(job.command).toEqual(command)
      }
    })
  })
})

describe('input after a percent sign', () => {
  const lines = [
    'cat%hello%world',
    "cat; printf 'done # 100\\%'  # it's a comment%a 'quoted' \"text\"%$HOME `id` \\n \\%s%-n%",
    'if read -r a; then echo "got $a"; fi%  spaces  kept  ',
    "tr a-z A-Z | sed 's/X/%%%it\\%s%",
  ]

  it.each(lines)('reaches the command after an import: %s', (command) => {
    const text = `* * * * * ${command}\n`
    const [direct] = parseCrontab(text, '/c', { format: 'user', timezone: 'UTC' }).jobs
    const { stdout } = runInMemory(['import', '/c'], { files: { '/c': text } })
    const [imported] = parseKrontab(stdout, '/x.krontab').jobs
    const run = (shellText: string, input: string) => {
      const env = { PATH: process.env['PATH'], HOME: '/none' }
      const { status, stdout: out } = spawnSync('/bin/sh', ['-c', shellText], { input, env })
      return { status, out: out.toString() }
    }
    if (direct?.command.kind !== 'shell' || imported?.command.kind !== 'shell') throw imported
    expect(run(imported.command.text, '')).toEqual(run(direct.command.text, direct.stdin ?? ''))
  })
})
