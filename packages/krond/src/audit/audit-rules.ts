/** What a log proves when it has no violation. Names are stable: programs may filter by them. */
export const auditRules = {
  line: 'every line is a JSON event, except one that a crash tore',
  shape: 'every known event has its fields',
  schedule: 'the schedule text of every decision can be read',
  period: 'every decision is about a period of its schedule',
  recomputed: 'every decision is what identity, schedule and period give',
  window: 'every chosen time is within its window',
  undecided: 'nothing is triggered or handled without a decision before',
  untriggered: 'nothing is started without a trigger before',
  verdict: 'every outcome is the one that its trigger announced',
  executed_twice: 'no period is executed more than once',
  handled_twice: 'no period is handled more than once',
  outcome_changed: 'no outcome of a period changes',
  out_of_order: 'no period is handled after a later one',
  too_early: 'nothing is triggered or started before its chosen time',
  past_deadline: 'nothing is triggered after its deadline',
  missed_early: 'nothing is missed before its deadline',
  policy: 'nothing is skipped or replaced that the policy does not say so of',
  concurrency: 'no execution starts beside another one that forbids it',
  unaccounted: 'no execution starts while one of an earlier life was left without an end',
  suspended: 'nothing that is suspended is triggered',
  unschedulable: 'a period is unschedulable exactly when no time could be chosen',
  unknown_execution: 'only executions that started end or time out',
  exit_code: 'every execution that was watched from its start ends with its exit code',
  after_stop: 'nothing is triggered after the daemon stopped',
} as const

export type AuditRule = keyof typeof auditRules
