/** Texts of `--help`; every line that begins with `krontab` works as it stands. */
export const examplesOf = {
  program: `
A schedule is a cron expression with modifiers; a window spreads jobs out:
  krontab next "0 3 * * * @tz(Europe/Paris) @win(after,2h)"

Exit codes: 0 success, 1 bad arguments, 2 a krontab with errors, 3 state, 4 fatal.`,
  lint: `
Examples:
  krontab lint                                  all krontabs of the default folder
  krontab lint night.krontab --strict           warnings count as errors
  krontab lint "*/90 * * * *"                   a schedule itself
  krontab lint --crontab /etc/crontab           what krond makes of cron's own files`,
  explain: `
Examples:
  krontab explain backup                        the current period of a job
  krontab explain backup --next                 the one after it
  krontab explain "0 3 * * * @win(after,2h)" --at 2026-03-01T04:00:00Z`,
  next: `
Examples:
  krontab next backup --count 3
  krontab next "30 2 * * * @tz(Europe/Paris)" --from 2026-03-27T00:00:00Z --count 5
  krontab next backup --from 2026-03-01 --until 2026-04-01`,
  simulate: `
Examples:
  krontab simulate                              the next 24 hours
  krontab simulate night.krontab --out night.svg
  krontab simulate --from 2026-03-01 --for 168h --bucket 10m`,
  add: `
Without --file it goes to jobs.krontab in ~/.config/krond, as root in /etc/krond.d.

Examples:
  krontab add "0 3 * * * @win(after,2h)" --name backup --command /usr/local/bin/backup
  krontab add @hourly --name sync --command "rsync -a 'My Files' backup:" --env LANG=C
  krontab add "*/5 * * * *" --name load --shell --command 'uptime >> "$HOME/load.txt"'`,
  remove: `
Examples:
  krontab remove backup
  krontab remove backup --file night.krontab`,
  import: `
Lines that can't be converted, such as @reboot, become comments and warnings; lines that cron
itself would refuse are errors, and then nothing is written.

Examples:
  krontab import /etc/crontab /etc/cron.d --out /etc/krond.d/cron.krontab
  krontab import my.crontab --tz Europe/Paris
  krontab import --systemd /etc/systemd/system/backup.timer`,
} as const
