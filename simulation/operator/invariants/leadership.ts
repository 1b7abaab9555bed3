import type { Observation } from '../cluster-world.js'
import { textOf } from './past.js'

const changes: ReadonlySet<string> = new Set(['create', 'patch', 'replace', 'delete'])

/** Who acts by a lease sends nothing that changes something while another one holds it. */
export function lawlessRequests({ chronicle }: Observation): string[] {
  return chronicle.requests
    .filter(({ verb, isLawless }) => changes.has(verb) && !isLawless)
    .filter(({ process, leader }) => leader !== '' && leader !== process)
    .map(
      ({ process, leader, verb, plural, at }) =>
        `${process} sent ${verb} ${plural} at ${textOf(at)} while ${leader} led`,
    )
}
