import { excerpt, type Style } from '@kron/runtime'
import type { Finding } from './finding.js'

const indent = '  '

/** `path:line:column: error: message [CODE]`, the line itself, a caret line, and what to do. */
export function findingLines(
  finding: Finding,
  path: string,
  columns: number,
  style: Style,
): string[] {
  const { severity, message, code, fix } = finding
  const place = style('strong', `${path}:${finding.line}:${finding.column}:`)
  const head = [place, style(severity, `${severity}:`), message, style('faint', `[${code}]`)].join(
    ' ',
  )
  const marked = excerpt(finding, columns - indent.length, style, severity)
  const shown = finding.source === '' ? [] : marked.map((line) => indent + line)
  return [head, ...shown, ...(fix === undefined ? [] : [`${indent}fix: ${fix}`])]
}
