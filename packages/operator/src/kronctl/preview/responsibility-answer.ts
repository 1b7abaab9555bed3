import type { Answer } from '@kron/command'
import { evaluate, formatInstant, parseInstant } from '@kron/core'
import { lastHandled } from '../../record/handled-period.js'
import { responsibilityOf } from '../../record/responsibility.js'
import type { NamedKronJob } from '../source/index.js'

/**
 * An explanation with since when the controller answers for the KronJob, and whether that is too
 * late for the period. A manifest that is in no cluster has nobody who answers for it.
 */
export function withResponsibility(answer: Answer, named: NamedKronJob, now: number): Answer {
  const { kronJob, job } = named
  const explanation = answer.json() as { readonly period: string }
  if (kronJob.metadata.uid === undefined) {
    return { ...answer, json: () => ({ ...explanation, responsibleSince: null }) }
  }
  const last = lastHandled([], kronJob.status, null)
  const known = { kronJob, timing: job.timing, remembered: null, lastHandled: last, seenAt: now }
  const { since } = responsibilityOf(known)
  const verdict = evaluate({
    decision: job.decide(parseInstant(explanation.period)),
    policy: { ...job.policy, suspend: false },
    now,
    handledThrough: null,
    active: false,
    responsibleSince: since,
  })
  const isOurs = verdict.kind !== 'notResponsible'
  const responsibleSince = formatInstant(since)
  return {
    json: () => ({ ...explanation, responsibleSince, responsible: isOurs }),
    lines: (style) => [
      ...answer.lines(style),
      '',
      style('strong', 'Responsible'),
      `  ${style('faint', 'since')}  ${responsibleSince}, with the present timing`,
      ...(isOurs
        ? []
        : [
            `  ${style('warning', 'not started: this period was due before that')}`,
            '  policy.first: run has the controller judge it all the same.',
          ]),
    ],
  }
}
