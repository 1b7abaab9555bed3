import { type Answers, checkAnswers, fewQuestions, manyQuestions } from '../answers/check.ts'
import { type Effort, measure } from '../measure.ts'
import { kron, type Peer } from '../peers/index.ts'
import { type Case, chosenCases, type ZoneName } from './expressions.ts'
import { type Mode, nextContender } from './loops.ts'

export interface NextTiming {
  readonly peer: string
  readonly zone: ZoneName
  readonly expression: string
  readonly mode: Mode
  readonly bestNs: number
  readonly medianNs: number
  /** Kron's in the same rounds of the same process. */
  readonly oursNs: number
}

export interface NextResults {
  readonly timings: readonly NextTiming[]
  readonly answers: readonly Answers[]
  /** What could not be timed, and why. */
  readonly failures: readonly string[]
}

const modes: readonly Mode[] = ['chained', 'scattered']

const warmUp: Effort = { rounds: 8, sliceMs: 5 }

/** Checks and times these peers and us in one zone; the peers must be able to work in it. */
export function runNext(
  peers: readonly Peer[],
  zone: ZoneName,
  effort: Effort,
  quick: boolean,
): NextResults {
  const cases = chosenCases(quick)
  const questions = quick ? fewQuestions : manyQuestions
  const answers = peers.map((peer) => checkAnswers(peer, kron, zone, cases, questions))
  const failures: string[] = []
  // Once without measuring, so that the first expression does not pay for what is not compiled yet.
  for (const mode of modes) timeCase([kron, ...peers], zone, cases[0]!, mode, warmUp)
  const timings = cases.flatMap((entry) => {
    const able = [kron, ...peers].filter((peer) => isAble(peer, zone, entry, failures))
    return modes.flatMap((mode) => timeCase(able, zone, entry, mode, effort))
  })
  return { timings, answers, failures }
}

/** Each mode is tried once before anything is timed, so that no failure ends the run. */
function isAble(peer: Peer, zone: ZoneName, entry: Case, failures: string[]): boolean {
  try {
    const schedule = peer.schedule!(entry.expression, zone)
    for (const mode of modes) {
      const outcome = nextContender(`${peer.name} trial`, schedule, mode).run(16)
      if (Number.isNaN(outcome)) throw new RangeError('found nothing')
    }
    return true
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error)
    failures.push(`${peer.name}: \`${entry.expression}\` in ${zone}: ${reason}`)
    return false
  }
}

function timeCase(
  able: readonly Peer[],
  zone: ZoneName,
  { expression }: Case,
  mode: Mode,
  effort: Effort,
): NextTiming[] {
  const contenders = able.map((peer) =>
    nextContender(peer.name, peer.schedule!(expression, zone), mode),
  )
  const timings = measure(contenders, effort)
  const oursNs = timings[0]!.bestNs
  return timings.map(({ name, bestNs, medianNs }) => ({
    peer: name,
    zone,
    expression,
    mode,
    bestNs,
    medianNs,
    oursNs,
  }))
}
