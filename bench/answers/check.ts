import type { Case, ZoneName } from '../cases/expressions.ts'
import { horizonMs, instantsAroundClockChanges, scatteredInstants } from '../cases/instants.ts'
import type { Peer, Schedule } from '../peers/index.ts'
import { judge } from './referee.ts'

export interface Answers {
  readonly peer: string
  readonly zone: ZoneName
  /** Anywhere, and within three hours of a change of the clocks. */
  readonly anywhere: Count
  readonly atClockChanges: Count
  /** Expressions that the peer can't read. */
  readonly unsupported: readonly string[]
  /** One wrong answer, for those who want to see it. */
  readonly example?: string
}

export interface Count {
  readonly asked: number
  readonly wrong: number
  /** Where the referee finds ours wrong. */
  readonly oursWrong: number
}

interface Question {
  readonly expression: string
  readonly zone: ZoneName
  readonly ours: Schedule
  readonly theirs: Schedule
}

/** How many times each expression is asked. */
export interface Questions {
  readonly scattered: number
  readonly chained: number
  readonly clockChanges: number
}

export const manyQuestions: Questions = { scattered: 150, chained: 60, clockChanges: 4 }
export const fewQuestions: Questions = { scattered: 20, chained: 20, clockChanges: 2 }

/** The same questions to the peer and to us; a referee judges every difference. */
export function checkAnswers(
  peer: Peer,
  ours: Peer,
  zone: ZoneName,
  cases: readonly Case[],
  questions: Questions,
): Answers {
  const anywhere = { asked: 0, wrong: 0, oursWrong: 0 }
  const atClockChanges = { asked: 0, wrong: 0, oursWrong: 0 }
  const unsupported: string[] = []
  let example: string | undefined
  for (const { expression } of cases) {
    const theirs = tryToRead(peer, expression, zone)
    if (theirs === undefined) {
      unsupported.push(expression)
      continue
    }
    const question = { expression, zone, theirs, ours: ours.schedule!(expression, zone) }
    for (const after of questionsAnywhere(question.ours, questions)) {
      example = ask(question, after, anywhere) ?? example
    }
    for (const after of instantsAroundClockChanges(zone, questions.clockChanges)) {
      example = ask(question, after, atClockChanges) ?? example
    }
  }
  const counts = { peer: peer.name, zone, anywhere, atClockChanges, unsupported }
  return example === undefined ? counts : { ...counts, example }
}

function tryToRead(peer: Peer, expression: string, zone: ZoneName): Schedule | undefined {
  try {
    return peer.schedule!(expression, zone)
  } catch {
    return undefined
  }
}

function questionsAnywhere(ours: Schedule, questions: Questions): number[] {
  const instants = [...scatteredInstants(questions.scattered)]
  let at = instants[0]!
  for (let step = 0; step < questions.chained; step++) {
    at = ours.next(at)
    if (!(at < horizonMs)) break
    instants.push(at)
  }
  return instants
}

function ask(
  question: Question,
  after: number,
  count: { asked: number; wrong: number; oursWrong: number },
): string | undefined {
  const { expression, zone } = question
  const ours = question.ours.next(after)
  const theirs = answerOf(question.theirs, after)
  count.asked++
  if (Object.is(ours, theirs)) return undefined
  const right = judge(expression, zone, ours, theirs, after)
  if (right !== 'ours') count.oursWrong++
  if (right === 'theirs') return undefined
  count.wrong++
  const shown = Number.isNaN(theirs) ? 'nothing' : new Date(theirs).toISOString()
  return (
    `"${expression}" in ${zone} after ${new Date(after).toISOString()}: ` +
    `${shown}, not ${new Date(ours).toISOString()}`
  )
}

function answerOf(schedule: Schedule, after: number): number {
  try {
    return schedule.next(after)
  } catch {
    return Number.NaN
  }
}
