import { counted, grouped, type Style } from '@kron/runtime'
import { type AuditReport, type AuditRule, auditRules, type Violation } from './audit-report.js'

/** Every violation, what was checked, and the verdict in the last line. */
export function auditText(report: AuditReport, style: Style): string[] {
  return [
    ...violationLines(report, style),
    ...summaryLines(report),
    '',
    ...ruleLines(report, style),
    '',
    ...unprovedLines(report, style),
    ...verdictLines(report, style),
  ]
}

function violationLines({ violations, violation_count }: AuditReport, style: Style): string[] {
  if (violation_count === 0) return []
  const unlisted = violation_count - violations.length
  const rest = unlisted === 0 ? [] : [`and ${counted(unlisted, 'more violation')}`]
  return [...violations.flatMap((violation) => violationText(violation, style)), ...rest, '']
}

function violationText(violation: Violation, style: Style): string[] {
  const { file, line, rule, message, event, identity, period_id } = violation
  const place = `${file ?? 'line'}:${line}`
  const about = [event, identity, period_id].filter((part) => part !== null)
  return [
    `${style('strong', place)}: ${style('error', rule)}: ${printable(message)}`,
    ...(about.length === 0 ? [] : [style('faint', `  ${printable(about.join(' '))}`)]),
  ]
}

/** What a log has may hold anything, also what a terminal would obey. */
function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\ufffd')
}

function summaryLines(report: AuditReport): string[] {
  const { lines, lives, jobs, decisions, executions, outcomes, tzdata } = report
  const outcomeTexts = Object.entries(outcomes).map(
    ([outcome, count]) => `${grouped(count)} ${outcome}`,
  )
  const notes: [number, string][] = [
    [decisions.not_comparable, 'not comparable, made with another time zone database'],
    [report.torn, 'torn by a crash or still being written'],
    [report.unknown_events, 'of events that are not known'],
  ]
  return [
    `${counted(lines, 'line')}, ${counted(lives, 'daemon run')}, ${counted(jobs, 'job')}`,
    `${counted(decisions.recomputed, 'decision')} recomputed with tzdata ${tzdata}`,
    `${counted(executions, 'execution')}; outcomes: ${outcomeTexts.join(', ')}`,
    ...notes.filter(([count]) => count > 0).map(([count, text]) => `${grouped(count)} ${text}`),
  ]
}

function ruleLines({ violations_by_rule }: AuditReport, style: Style): string[] {
  return Object.entries(auditRules).map(([rule, meaning]) => {
    const count = violations_by_rule[rule as AuditRule] ?? 0
    if (count === 0) return `${style('good', 'holds')}   ${meaning}`
    return `${style('error', 'broken')}  ${meaning} (${rule}: ${grouped(count)})`
  })
}

function unprovedLines({ unproved }: AuditReport, style: Style): string[] {
  if (unproved.length === 0) return []
  return [...unproved.map((text) => `${style('warning', 'could not be proved')}: ${text}`), '']
}

function verdictLines({ lines, violation_count }: AuditReport, style: Style): string[] {
  if (lines === 0) return [style('warning', 'the log is empty, so it proves nothing')]
  if (violation_count === 0) return [style('good', 'no violation')]
  return [style('error', counted(violation_count, 'violation'))]
}
