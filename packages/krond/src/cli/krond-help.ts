/** Texts of `krond --help`; every line that begins with `krond` works as it stands. */
export const krondExamplesOf = {
  program: `
A period is started at most once, also if krond is killed or the power fails meanwhile. Each
period that krond answers for gets exactly one outcome: executed, skipped, missed or
unschedulable. A job that fails is not run again for its period.

Examples:
  krond start                                   run the jobs of /etc/krond.d
  krond status                                  what runs, what comes next
  krond reload                                  after a krontab was changed
  krond audit /var/log/krond.jsonl              prove what the daemon did`,
  start: `
Examples:
  krond start --file ./jobs --state ./state     own folders, in the foreground
  krond start --crontab /etc/crontab --crontab /etc/cron.d
  krond start --format json --listen 127.0.0.1:9180`,
  stop: `
Examples:
  krond stop                                    wait for running jobs, then end
  krond stop --leave                            end at once, leave jobs to the next krond
  krond stop --state ./state --timeout 5m`,
  reload: `
Examples:
  krond reload
  krond reload --state ./state --format json`,
  status: `
Examples:
  krond status
  krond status --state ./state --file ./jobs --format json`,
  run: `
Examples:
  krond run backup                              now, as the daemon would, outside of any period
  krond run backup --file ./jobs`,
  audit: `
Examples:
  krond audit krond.jsonl                       each decision recomputed, each rule checked
  krond audit --format json krond.jsonl
  journalctl -u krond -o cat | krond audit -`,
} as const
