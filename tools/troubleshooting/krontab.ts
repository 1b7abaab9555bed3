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
      'Leave out the field for seconds. To start a job at some second after the minute, give it a window: `0 3 * * * @win(after,1m)`.',
  }),
  mistake({
    title: 'An hour of 24',
    command: 'krontab next "0 24 * * *"',
    advice: 'Hours go from 0 to 23. Midnight is `0 0 * * *`, or `@daily`.',
  }),
  mistake({
    title: 'A day that no month has',
    command: 'krontab next "0 3 31 2 *"',
    advice:
      'To run at the end of a month, use the first day of the next month, or `28-31` with a check in the job.',
  }),
  mistake({
    title: 'An unknown time zone',
    command: 'krontab next "0 3 * * * @tz(Europe/Pari)"',
    advice:
      'Use a name of the IANA database, such as `Europe/Paris`. Abbreviations such as `CET` name no city.',
  }),
  mistake({
    title: 'A typo in a modifier',
    command: 'krontab next "0 3 * * * @windw(after,2h)"',
    advice: '[Schedules](krontab.md#schedules) lists all modifiers.',
  }),
  mistake({
    title: 'A duration in words',
    command: 'krontab next "0 3 * * * @win(after,2 hours)"',
    advice: 'Write durations as `2h`, `1h30m`, `45s`, without blanks.',
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
      'Kron starts jobs at times only. For a start at boot, use a service of the system. `krontab import` lists the lines of a crontab that it leaves out.',
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
    advice: 'Each mistake is shown with its line. Lines without a mistake are not shown.',
  }),
  mistake({
    title: 'A file that does not exist',
    command: 'krontab lint job.krontab',
    given: given('0 3 * * * name=backup command=/usr/local/bin/backup'),
    advice: 'A relative path begins in your current folder: `pwd` and `ls` show that folder.',
  }),
  mistake({
    title: 'No krontabs, or the wrong folder',
    command: 'krontab next backup',
    given: given('0 3 * * * name=backup command=/usr/local/bin/backup'),
    advice:
      'Without `--file`, `krontab` reads only the default folder, and not your current one: `krontab next backup --file jobs.krontab`.',
  }),
  mistake({
    title: 'Options of `crontab`',
    command: 'krontab -e',
    advice: 'There is no hidden copy of your jobs: edit the files themselves.',
  }),
  mistake({
    title: 'A job without a name',
    command: 'krontab add "0 3 * * *" --command /usr/local/bin/backup',
    advice: 'Every job needs a name of its own: `--name backup`.',
  }),
  mistake({
    title: 'No permission to write a krontab',
    command:
      'krontab add "0 3 * * *" --name backup --command true --file /etc/krond.d/jobs.krontab',
    advice:
      'Jobs of the machine belong to root: use `sudo`, or leave out `--file` for jobs of your own.',
  }),
  mistake({
    title: 'Node is too old',
    command: 'krontab next "0 3 * * *"',
    node: oldNode,
    advice: 'Install a newer Node; `node --version` prints your version.',
  }),
]
