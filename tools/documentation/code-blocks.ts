/** A fenced block of a Markdown text. */
export interface CodeBlock {
  /** What follows the opening fence: `console`, `ts runnable`. */
  readonly info: string
  /** 1-based number of its first line of content. */
  readonly line: number
  readonly lines: readonly string[]
}

export function codeBlocks(markdown: string): CodeBlock[] {
  const blocks: CodeBlock[] = []
  let open: { info: string; line: number; lines: string[] } | null = null
  for (const [index, text] of markdown.split('\n').entries()) {
    const fence = /^```(.*)$/.exec(text)
    if (fence === null) open?.lines.push(text)
    else if (open === null) open = { info: fence[1]!.trim(), line: index + 2, lines: [] }
    else {
      blocks.push(open)
      open = null
    }
  }
  return blocks
}
