import { checkAnswers, fewQuestions, manyQuestions } from '../answers/check.ts'
import { type Contender, type Effort, measure } from '../measure.ts'
import { ownCopy } from '../own-copy.ts'
import { kron, type Peer } from '../peers/index.ts'
import { chosenCases } from './expressions.ts'

/** `first answer` is parsing and one `next`: it shows work that a parser has only put off. */
export type ParseMode = 'parse' | 'first answer'

export interface ParseTiming {
  readonly peer: string
  readonly expression: string
  readonly mode: ParseMode
  readonly bestNs: number
  readonly medianNs: number
  readonly oursNs: number
}

export interface ParseResults {
  readonly timings: readonly ParseTiming[]
  /** Peers that answer every question about these expressions, in UTC, rightly. */
  readonly correct: readonly string[]
  readonly failures: readonly string[]
}

const modes: readonly ParseMode[] = ['parse', 'first answer']
const firstQuestion = Date.UTC(2026, 10, 15, 12, 34, 56)

type Work = (expression: string) => unknown

const parseLoop = (work: Work, expression: string, iterations: number): number => {
  let last: unknown
  for (let i = 0; i < iterations; i++) last = work(expression)
  return last === undefined ? 1 : 0
}

export function runParse(peers: readonly Peer[], effort: Effort, quick: boolean): ParseResults {
  const cases = chosenCases(quick)
  const correct = peers.filter((peer) => answersAllRightly(peer, quick)).map((peer) => peer.name)
  const failures: string[] = []
  const timings = modes.flatMap((mode) => {
    const works = new Map<string, { work: Work; loop: typeof parseLoop }>()
    for (const peer of [kron, ...peers]) {
      const work = workOf(peer, mode)
      if (work !== undefined) works.set(peer.name, { work, loop: ownCopy(parseLoop) })
    }
    return cases.flatMap(({ expression }) => {
      const contenders: Contender[] = []
      for (const [name, { work, loop }] of works) {
        if (succeeds(work, expression, name, failures)) {
          contenders.push({ name, run: (count) => loop(work, expression, count) })
        }
      }
      return timeExpression(contenders, expression, mode, effort)
    })
  })
  return { timings, correct, failures }
}

function workOf(peer: Peer, mode: ParseMode): Work | undefined {
  const { parse, schedule } = peer
  if (mode === 'parse') return parse
  if (schedule === undefined) return undefined
  return (expression) => schedule(expression, 'UTC').next(firstQuestion)
}

function succeeds(work: Work, expression: string, name: string, failures: string[]): boolean {
  try {
    work(expression)
    return true
  } catch {
    failures.push(`${name}: \`${expression}\` can not be read`)
    return false
  }
}

function answersAllRightly(peer: Peer, quick: boolean): boolean {
  if (peer.schedule === undefined) return false
  const questions = quick ? fewQuestions : manyQuestions
  const { anywhere, unsupported } = checkAnswers(peer, kron, 'UTC', chosenCases(quick), questions)
  return anywhere.wrong === 0 && unsupported.length === 0
}

function timeExpression(
  contenders: readonly Contender[],
  expression: string,
  mode: ParseMode,
  effort: Effort,
): ParseTiming[] {
  const timings = measure(contenders, effort)
  const oursNs = timings[0]!.bestNs
  return timings.map(({ name, bestNs, medianNs }) => ({
    peer: name,
    expression,
    mode,
    bestNs,
    medianNs,
    oursNs,
  }))
}
