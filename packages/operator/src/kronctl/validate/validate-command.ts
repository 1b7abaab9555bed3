import { badArgument, type ExitCode, exitCodes } from '@kron/command'
import { countOf, type Finding, findingJson, findingLines } from '@kron/preview'
import { counted } from '@kron/runtime'
import { kronJobs } from '../../kube/index.js'
import type { KronctlInvocation } from '../invocation.js'
import { objectsOfKind, readManifests } from '../manifest/index.js'
import { refuseFilesAsNames, type SourceOptions, shownFile } from '../source/index.js'
import { checkManifests } from './check-manifests.js'

export interface ValidateOptions extends SourceOptions {
  readonly strict: boolean
}

const filesHint = 'hint: -f <file>, <folder> or -'

interface Report {
  readonly files: number
  readonly kronJobs: number
  readonly findings: readonly Finding[]
}

/** `kronctl validate -f <path> [--strict]`. */
export async function validateCommand(
  invocation: KronctlInvocation,
  options: ValidateOptions,
  unnamed: readonly string[] = [],
): Promise<ExitCode> {
  const { file = [] } = options
  refuseFilesAsNames(invocation, unnamed)
  if (unnamed.length > 0) throw badArgument('name', 'validate takes no names', filesHint)
  if (file.length === 0) {
    throw badArgument('--file', 'no manifests are named', filesHint)
  }
  const { files, objects, findings: syntax } = await readManifests(invocation, file)
  const kind = objectsOfKind(invocation, objects, kronJobs.kind)
  if (kind.length === 0 && syntax.length === 0) {
    throw badArgument('--file', `no KronJobs in ${file.join(', ')}`)
  }
  const namespace = options.namespace ?? 'default'
  const findings = [...syntax, ...checkManifests(invocation, kind, namespace)]
  print(invocation, { files, kronJobs: kind.length, findings: inOrder(findings) })
  const worst = options.strict ? findings.length : countOf(findings, 'error')
  return worst > 0 ? exitCodes.refused : exitCodes.success
}

/** File by file, in the order in which they were read. */
function inOrder(findings: readonly Finding[]): Finding[] {
  const files = [...new Set(findings.map(({ file }) => file))]
  return findings.toSorted(
    (a, b) =>
      files.indexOf(a.file) - files.indexOf(b.file) || a.line - b.line || a.column - b.column,
  )
}

function print(invocation: KronctlInvocation, report: Report): void {
  const { findings } = report
  const [errors, warnings] = [countOf(findings, 'error'), countOf(findings, 'warning')]
  if (invocation.format === 'json') {
    invocation.printJson({ ...report, errors, warnings, findings: findings.map(findingJson) })
    return
  }
  const { style, host } = invocation
  const lines = findings.flatMap((finding) => [
    ...findingLines(finding, shownFile(invocation, finding.file), host.stdout.columns, style),
    '',
  ])
  const summary = [
    counted(report.files, 'file'),
    counted(report.kronJobs, 'KronJob'),
    counted(errors, 'error'),
    counted(warnings, 'warning'),
  ]
  invocation.printLines([...lines, summary.join(', ')])
}
