import type { Mistake } from './mistake.ts'
import type { Newcomer, Seen } from './newcomer.ts'
import { oldNode } from './old-node.ts'
import { mistake, onTerminal } from './story.ts'
import { withTakenPort } from './taken-port.ts'

const krontab = '.config/krond/jobs.krontab'
const state = '~/.local/state/krond'
/** Never due while somebody looks on. */
const yearly = '0 0 1 1 * name=report command="echo done"\n'
/** Due since midnight, so that it runs at once; it ends when there is no home any more. */
const longJob =
  '0 0 * * * @policy(deadline=24h,first=run) name=backup shell=true ' +
  'command="while [ -e .config ]; do sleep 0.1; done" cwd=HOME\n'

const withJob =
  (line = yearly, mode = 0o600) =>
  (ada: Newcomer): void =>
    void ada.file(krontab, line, mode)

/** With a daemon on another terminal, that has begun. */
const besideDaemon =
  (given: (ada: Newcomer) => void = withJob()) =>
  async (ada: Newcomer): Promise<void> => {
    given(ada)
    await ada.opensTerminal('krond start').shows('runs in the foreground')
  }

async function pressCtrlCTwice(ada: Newcomer, command: string): Promise<Seen> {
  const terminal = ada.opensTerminal(command)
  await terminal.shows('next run at')
  terminal.pressCtrlC()
  await terminal.shows('stops, and waits')
  terminal.pressCtrlC()
  const exitCode = await terminal.ended
  return { text: ada.steady(terminal.text), exitCode }
}

/** The complaint about the log comes when it comes; it is shown last. */
async function logNowhere(ada: Newcomer, command: string): Promise<Seen> {
  const complaint = 'krond: the log is not written'
  const terminal = ada.opensTerminal(command)
  await terminal.shows('Ctrl-C stops it.\n')
  await terminal.shows(complaint)
  const lines = ada.steady(terminal.text).split('\n')
  terminal.pressCtrlC()
  const exitCode = await terminal.ended
  const isComplaint = (line: string): boolean => line.startsWith(complaint)
  const others = lines.filter((line) => line !== '' && !isComplaint(line))
  return { text: [...others, ...lines.filter(isComplaint)].join('\n'), exitCode }
}

async function closeTerminal(ada: Newcomer): Promise<void> {
  withJob()(ada)
  const terminal = ada.opensTerminal('krond start')
  await terminal.shows('runs in the foreground')
  await terminal.close()
  // The lock of the state folder is free when the daemon is gone.
  await ada.types(`flock ${state} true`)
}

export const krondMistakes: readonly Mistake[] = [
  mistake({
    title: 'Nothing to run yet',
    command: 'krond start',
    see: onTerminal,
    advice:
      'Add a job first: `krontab add "0 3 * * *" --name backup --command /usr/local/bin/backup`. Name files in other places with `--file`.',
  }),
  mistake({
    title: 'A mistake in a krontab',
    command: 'krond start',
    given: withJob('0 0 3 * * * name=report command="echo done"\n'),
    see: onTerminal,
    advice:
      'The place is file, line and column. `krontab lint` also shows the line. If other jobs are valid, krond starts with those.',
  }),
  mistake({
    title: 'A krontab that others may write',
    command: 'krond start',
    given: withJob(yearly, 0o666),
    see: onTerminal,
    advice:
      'A krontab contains commands, so only its owner may write it. Run the command after `fix:`. The same holds for the folders above it.',
  }),
  mistake({
    title: 'A second daemon',
    command: 'krond start',
    given: besideDaemon(),
    see: onTerminal,
    advice:
      '`krond status` shows the running daemon. After a change of a krontab use `krond reload`, not a second start.',
  }),
  mistake({
    title: 'The port is taken',
    command: 'krond start --listen 127.0.0.1:9180',
    given: withJob(),
    see: withTakenPort('9180'),
    advice:
      'Choose another port, or a socket: `--listen unix:/run/user/1000/krond.sock`. `ss -ltnp` shows which program has the port.',
  }),
  mistake({
    title: 'A port without a host',
    command: 'krond start --listen 9180',
    given: withJob(),
    see: onTerminal,
    advice: '`--listen 127.0.0.1:9180` is for this machine alone, `0.0.0.0:9180` for its networks.',
  }),
  mistake({
    title: 'No permission for the state folder',
    command: 'krond start --state /usr/krond',
    given: withJob(),
    see: onTerminal,
    advice:
      'Leave out `--state`, and krond uses a folder of your own. As a service of the machine krond runs as root, see [Running it as a service](krond.md#running-it-as-a-service).',
  }),
  mistake({
    title: 'Ctrl-C, and krond does not end',
    command: 'krond start',
    given: (ada) => withJob(longJob.replace('HOME', ada.home))(ada),
    see: pressCtrlCTwice,
    advice:
      'After the first Ctrl-C krond waits for running jobs. A second Ctrl-C ends krond at once; the jobs go on, and the next `krond start` watches them. With `--kill` the first Ctrl-C also ends the jobs.',
  }),
  mistake({
    title: 'The terminal was closed, and krond is gone',
    command: 'krond status',
    given: closeTerminal,
    advice:
      'A daemon in a terminal ends with the terminal; running jobs go on. To start krond at boot, see [Running it as a service](krond.md#running-it-as-a-service).',
  }),
  mistake({
    title: 'The log goes to a full disk',
    command: 'krond start > /dev/full',
    given: withJob(),
    see: logNowhere,
    advice:
      'Jobs still run, but lines of the log are lost. Make room, or send the log to another disk. (`/dev/full` is a file that is always full.)',
  }),
  mistake({
    title: 'No daemon to talk to',
    command: 'krond reload',
    given: withJob(),
    advice:
      'Start a daemon with `krond start`. If a daemon runs, it has another state folder: give the same `--state` as to `krond start`. A daemon of root has a state folder of its own.',
  }),
  mistake({
    title: 'A reload with a mistake in a krontab',
    command: 'krond reload',
    given: async (ada) => {
      await besideDaemon()(ada)
      ada.file(krontab, `${yearly}0 25 * * * name=backup command=/usr/local/bin/backup\n`)
    },
    advice:
      'A reload reads everything or nothing, so the old jobs stay. Correct the line, and reload again.',
  }),
  mistake({
    title: 'An unknown job',
    command: 'krond run reprot',
    given: withJob(),
    advice: '`krond status` lists the jobs.',
  }),
  mistake({
    title: 'A program that does not exist',
    command: 'krond run backup',
    given: withJob('0 3 * * * name=backup command=/usr/local/bin/bakcup\n'),
    advice:
      'Give the full path of the program. A job has a short `PATH` and no settings of your shell; see [What a job gets](krond.md#what-a-job-gets).',
  }),
  mistake({
    title: 'A typo in an option',
    command: 'krond start --kil',
    given: withJob(),
    advice: '`krond start --help` lists the options.',
  }),
  mistake({
    title: 'Node is too old',
    command: 'krond start',
    node: oldNode,
    see: onTerminal,
    advice: 'Install a newer Node; `node --version` prints your version.',
  }),
]
