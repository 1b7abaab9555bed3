import type { Mistake } from './mistake.ts'
import type { Newcomer } from './newcomer.ts'
import { oldNode } from './old-node.ts'
import { mistake } from './story.ts'

const given =
  (...lines: string[]) =>
  (ada: Newcomer): void =>
    void ada.file('jobs.krontab', `${lines.join('\n')}\n`)

export const krontabMistakes: readonly Mistake[] = [
  mistake({
    title: 'A schedule without quotes',
    command: 'krontab next 0 3 * * *',
    given: given('0 3 * * * name=backup command=/usr/local/bin/backup'),
    advice: 'Write `krontab next "0 3 * * *"`.',
  }),
  mistake({
    title: 'Six fields where five are allowed',
    command: 'krontab next "0 0 3 * * *"',
    advice:
      'Leave the field for seconds out. To have a job start at some second after the minute, give it a window: `0 3 * * * @win(after,1m)`.',
  }),
  mistake({
    title: 'An hour of 24',
    command: 'krontab next "0 24 * * *"',
    advice: 'Hours go from 0 to 23. Midnight is `0 0 * * *`, or `@daily`.',
  }),
  mistake({
    title: 'A day that no month has',
    command: 'krontab next "0 3 31 2 *"',
    advice: 'For the last days of a month, take its first day, or `28-31` with a check in the job.',
  }),
  mistake({
    title: 'An unknown time zone',
    command: 'krontab next "0 3 * * * @tz(Europe/Pari)"',
    advice:
      'Use a name of the IANA database, such as `Europe/Paris`. Abbreviations such as `CET` mean no city.',
  }),
  mistake({
    title: 'A typo in a modifier',
    command: 'krontab next "0 3 * * * @windw(after,2h)"',
    advice: 'All modifiers are in [Schedules](krontab.md#schedules).',
  }),
  mistake({
    title: 'A duration in words',
    command: 'krontab next "0 3 * * * @win(after,2 hours)"',
    advice: 'Durations are written `2h`, `1h30m`, `45s`, without blanks.',
  }),
  mistake({
    title: 'A window that is longer than the time between two runs',
    command: 'krontab next "*/10 * * * * @win(after,1h)"',
    advice: 'Make the window shorter, or run the job less often.',
  }),
  mistake({
    title: '`@reboot`',
    command: 'krontab next "@reboot"',
    advice:
      'Kron starts jobs at times, and a start of the machine is none. `krontab import` tells which lines of a crontab it leaves out.',
  }),
  mistake({
    title: 'A line of a crontab in a krontab',
    command: 'krontab lint jobs.krontab',
    given: given('MAILTO=ada@example.com', '0 3 * * * /usr/local/bin/backup'),
    advice:
      '`krontab import` converts crontabs. krond can also read them as they are: `krond start --crontab /etc/crontab`.',
  }),
  mistake({
    title: 'A typo in a field, and a quote that is not closed',
    command: 'krontab lint jobs.krontab',
    given: given(
      '0 3 * * * nmae=backup command=/usr/local/bin/backup',
      '0 4 * * * name=report command="echo done',
    ),
    advice: 'Each mistake is shown with its line. What has no mistake is not shown.',
  }),
  mistake({
    title: 'A file that does not exist',
    command: 'krontab lint job.krontab',
    given: given('0 3 * * * name=backup command=/usr/local/bin/backup'),
    advice: 'The path begins in the folder you are in: `pwd` and `ls` show where that is.',
  }),
  mistake({
    title: 'No krontabs, or the wrong folder',
    command: 'krontab next backup',
    given: given('0 3 * * * name=backup command=/usr/local/bin/backup'),
    advice:
      'Without `--file` only the usual folder is read, not the one you are in: `krontab next backup --file jobs.krontab`.',
  }),
  mistake({
    title: 'Options of `crontab`',
    command: 'krontab -e',
    advice: 'There is no hidden copy of your jobs: edit the files themselves.',
  }),
  mistake({
    title: 'A job without a name',
    command: 'krontab add "0 3 * * *" --command /usr/local/bin/backup',
    advice: 'The name is how a job is told apart from others: `--name backup`.',
  }),
  mistake({
    title: 'No permission to write a krontab',
    command:
      'krontab add "0 3 * * *" --name backup --command true --file /etc/krond.d/jobs.krontab',
    advice:
      'The jobs of the machine belong to root: use `sudo`, or leave out `--file` for jobs of your own.',
  }),
  mistake({
    title: 'Node is too old',
    command: 'krontab next "0 3 * * *"',
    node: oldNode,
    advice: 'Install a newer Node; `node --version` says which one you have.',
  }),
]
