/**
 * A guided tour: real commands with their real output. Times are fixed, so that the output is the
 * same at each run; only the daemon at the end runs on the real clock.
 */
import { fileURLToPath } from 'node:url'
import { processHost, runKrontab } from '../../packages/krond/dist/cli/index.js'
import { diedScheduler, registrations } from './died-scheduler.mjs'
import { killedKrond, krontab } from './killed-krond.mjs'

const repository = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')
const real = processHost()
const host = {
  ...real,
  cwd: repository,
  clock: { now: () => new Date('2026-03-01T00:00:00Z') },
}
const coloured = real.stdout.isTerminal && !real.env['NO_COLOR'] && real.env['TERM'] !== 'dumb'
const strong = (text) => (coloured ? `\u001b[1m${text}\u001b[0m` : text)
const accent = (text) => (coloured ? `\u001b[36m${text}\u001b[0m` : text)

const say = (...lines) => real.stdout.write(`${lines.join('\n')}\n`)

let failed = false

async function show(title, text, args) {
  const shown = args.map((arg) => (/[\s*]/.test(arg) ? `"${arg}"` : arg)).join(' ')
  say('', strong(title), ...text, '', accent(`$ krontab ${shown}`))
  failed = (await runKrontab(args, host)) !== 0 || failed
}

const schedule = '0 3 * * * @tz(Europe/Paris) @win(after,2h)'

say(
  strong('Kron decides when jobs run.'),
  'A schedule is a cron expression in a time zone. A window lets Kron choose a second within it: the',
  'same second on every machine and after every restart, another second for every job and day.',
)

await show(
  '1. When does it run?',
  ['Every day from 03:00 to 05:00 in Paris. On 29 March the clock there goes forward.'],
  ['next', schedule, '--from', '2026-03-27T00:00:00Z', '--limit', '4'],
)

await show(
  '2. Why at that second?',
  ['Nothing is random: every step is shown, down to the bytes that are hashed.'],
  ['explain', schedule, '--at', '2026-03-29T06:00:00Z'],
)

await show(
  '3. Is the schedule right?',
  ['lint checks files, and warns about schedules that are valid but probably a mistake.'],
  ['lint', 'examples', '0 0 13 * FRI', '30 2 * * * @tz(Europe/Paris)'],
)

await show(
  '4. What do windows change?',
  ['The night of a small shop: thirty jobs, all of them at midnight, at one or at four.'],
  ['simulate', '--file', 'examples/night.krontab', '--from', '2026-03-01T00:00:00+01:00'],
)

async function showDaemon() {
  say('', strong('5. What if the scheduler dies?'))
  if (process.platform !== 'linux') {
    say('krond, which runs jobs on a host, needs Linux: this part is skipped here.')
    return
  }
  say(
    'krond records on disk that a period is handled, and only then runs the job. Here krond is killed',
    'right after the job, and started again: nothing runs twice, and the log proves it.',
    '',
    accent(krontab),
    '',
    accent('$ krond start --file hello.krontab --state state --format json'),
  )
  const { status, stdout, stderr } = await killedKrond((line) => {
    if (line === null) say(accent('$ kill -9 ... ; krond start ...'))
    else say(`${line.time} ${line.event.padEnd(9)} ${aboutLine(line)}`.trimEnd())
  })
  say('', accent('$ krond audit krond.jsonl'), `${stdout}${stderr}`.trimEnd())
  failed = status !== 0 || failed
}

function aboutLine({ period_id, line, exit_code, pid, reason }) {
  const words = [
    period_id && `period ${period_id}`,
    line && `"${line}"`,
    pid && `pid ${pid}`,
    exit_code !== undefined && `exit code ${exit_code ?? 'unknown'}`,
    reason,
  ]
  return words.filter(Boolean).join(', ')
}

async function showScheduler() {
  say(
    '',
    strong('6. And in your own program?'),
    '@kron/scheduler runs functions at their minutes. Here, in virtual time, the process dies at 09:00',
    'while sync runs, and another process starts at 10:40: the interrupted task starts again, once; all',
    'missed minutes lead to one run; nothing runs twice.',
    '',
    accent(registrations),
    '',
  )
  await diedScheduler((event) => {
    if (event === null) say(accent('(the process died at 09:00, a new one starts at 10:40)'))
    else
      say(`${event.time.toISOString().slice(11, 16)} ${event.type.padEnd(16)} ${aboutEvent(event)}`)
  })
}

function aboutEvent({ taskName, reason, scheduledFor }) {
  if (reason === 'orphaned') return `${taskName}, which was running when the process died`
  return scheduledFor ? `${taskName}, for ${scheduledFor.toISOString().slice(11, 16)}` : taskName
}

await showDaemon()
await showScheduler()

say(
  '',
  strong('What to do next'),
  `  ${accent('export PATH="$PWD/node_modules/.bin:$PATH"')}   puts this checkout's programs on the search path`,
  `  ${accent('krontab --help')}              all commands, and krond --help`,
  `  ${accent('docs/krontab.md')}             from zero to a first schedule in two minutes`,
  `  ${accent('docs/krond.md')}               from zero to a first job, or from cron to krond`,
  `  ${accent('docs/scheduler.md')}           tasks in your own program, and from other libraries to this one`,
  `  ${accent('examples/*.krontab')}          files to start from`,
  '  The path of a file is part of the seed of its jobs: in another folder the jobs get other times.',
)

process.exitCode = failed ? 1 : 0
