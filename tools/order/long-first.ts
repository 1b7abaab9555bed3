import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The files that take longest, by parts of their paths; most of them wait more than they work. */
const long = [
  'operator/test/crash/',
  'scheduler/test/crash/',
  'decision/next-schedulable-oracle',
  'operator/test/cluster/',
  'tools/images/images.test',
  'krond/test/crash/',
  'server/test/crash/',
  'scheduler/test/host-zone',
  'controller/faults',
  'worlds.test',
  'http-kube-api-conformance',
]

const rankOf = ({ moduleId }: TestSpecification): number => {
  const rank = long.findIndex((part) => moduleId.includes(part))
  return rank === -1 ? long.length : rank
}

/**
 * Long files first, of whatever project, so that none is left over for one worker at the end: a
 * fresh clone knows no durations. The rest, which is short, in any order.
 */
export default class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rest = await super.sort(files)
    return rest.toSorted((a, b) => rankOf(a) - rankOf(b))
  }
}
