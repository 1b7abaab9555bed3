import { type CodeBlock, codeBlocks } from '../documentation/code-blocks.ts'
import { consoleExamples } from '../documentation/console-examples.ts'
import type { Step } from './step.ts'

/**
 * The steps of a part of a document, in order: `sh` blocks, each with the `text` block that follows
 * at once, and the commands of `console` blocks. What else is said of a block (`sh stays`, `sh stays briefly`,
 * `sh needs=...`) goes with its steps.
 */
export function stepsOf(markdown: string, sections?: readonly string[]): Step[] {
  const followed = sections === undefined ? markdown : onlySections(markdown, sections)
  const blocks = codeBlocks(followed)
  return blocks.flatMap((block, index) => {
    const [language, ...words] = block.info.split(' ')
    if (language === 'console') return consoleSteps(block, words)
    if (language !== 'sh') return []
    const next = blocks[index + 1]
    const printed = next !== undefined && isOutputOf(block, next, followed) ? next.lines : null
    return [{ line: block.line, script: block.lines.join('\n'), printed, ...traits(words) }]
  })
}

function traits(words: readonly string[]): Pick<Step, 'stays' | 'briefly' | 'needs'> {
  const needs = words.find((word) => word.startsWith('needs='))?.slice('needs='.length) ?? null
  return { stays: words.includes('stays'), briefly: words.includes('briefly'), needs }
}

function consoleSteps(block: CodeBlock, words: readonly string[]): Step[] {
  const text = ['```console', ...block.lines, '```'].join('\n')
  return consoleExamples(text).map(({ line, command, expected }) => ({
    line: block.line + line - 2,
    script: command,
    printed: expected,
    ...traits(words),
  }))
}

/** A `text` block belongs to the command right before it when nothing but a sentence is between. */
function isOutputOf(block: CodeBlock, next: CodeBlock, markdown: string): boolean {
  if (next.info !== 'text') return false
  const between = markdown.split('\n').slice(block.line + block.lines.length, next.line - 2)
  return !between.some((line) => line.startsWith('#'))
}

/** The document with everything but these sections emptied, so that line numbers stay. */
function onlySections(markdown: string, sections: readonly string[]): string {
  const missing = new Set(sections)
  let level: number | null = null
  let inFence = false
  const kept = markdown.split('\n').map((line) => {
    if (line.startsWith('```')) inFence = !inFence
    const heading = inFence ? null : /^(#+) (.*)$/.exec(line)
    if (heading !== null) {
      const depth = heading[1]!.length
      if (level !== null && depth <= level) level = null
      if (level === null && sections.includes(heading[2]!)) {
        level = depth
        missing.delete(heading[2]!)
      }
    }
    return level === null ? '' : line
  })
  if (missing.size > 0) throw new Error(`there is no section "${[...missing].join('", "')}"`)
  return kept.join('\n')
}
