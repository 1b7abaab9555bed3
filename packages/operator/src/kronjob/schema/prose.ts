/**
 * A description as `kubectl explain` shows it: lines flow together, empty lines part paragraphs,
 * and lines that are indented by four are shown as they are. The indentation of the code goes.
 */
export function prose(parts: TemplateStringsArray, ...values: readonly unknown[]): string {
  const lines = String.raw({ raw: parts }, ...values)
    .replace(/^\n|\n *$/g, '')
    .split('\n')
  const margin = Math.min(...lines.filter((line) => line.trim() !== '').map(indentation))
  return lines.map((line) => line.slice(margin)).join('\n')
}

const indentation = (line: string): number => line.length - line.trimStart().length
