import { badArgument } from '@kron/command'
import { SystemError } from '@kron/core'
import { pathText } from '../../kronjob/manifest/problem.js'
import type { KronctlInvocation } from '../invocation.js'
import type { Conversion } from './convert-cron-job.js'
import { kronJobText, saysTheSame } from './kron-job-text.js'

export type OutputFormat = 'yaml' | 'json'

/** What `-o` says, as for kubectl; people who expect it to name a file are told how that goes. */
export function outputFormat(output: string | undefined, format: string): OutputFormat {
  if (output === undefined) return 'yaml'
  if (output !== 'yaml' && output !== 'json') {
    const message = `-o must be yaml or json, got ${JSON.stringify(output)}`
    throw badArgument('--output', message, `hint: --out ${output} writes a file`)
  }
  if (format === 'json') {
    const hint = 'hint: -o is for the manifests alone, --format json for a report that has them'
    throw badArgument('--output', '-o goes without --format json', hint)
  }
  return output
}

/** The manifests as one text that `kubectl apply -f` reads. */
export function manifestsText(converted: readonly Conversion[], output: OutputFormat): string {
  if (output === 'yaml') return converted.map(checkedText).join('---\n')
  const items = converted.map(({ kronJob }) => kronJob)
  const [only] = items
  const object = items.length === 1 ? only : { apiVersion: 'v1', kind: 'List', items }
  return `${JSON.stringify(object, null, 2)}\n`
}

function checkedText(conversion: Conversion): string {
  const text = kronJobText(conversion)
  if (saysTheSame(text, conversion)) return text
  const message = 'the YAML that was made does not say what it should'
  throw new SystemError('KRON_INVARIANT', message, { field: 'out' })
}

/** JSON has no comments, and the differences are to be read all the same. */
export function complainNotes(
  invocation: KronctlInvocation,
  title: string,
  { notes }: Conversion,
): void {
  for (const { path, message } of notes) {
    invocation.complain(`${title}: ${pathText(path)}: ${message}`)
  }
}
