import type { Mistake } from './mistake.ts'
import type { Seen } from './newcomer.ts'

/** A program, and what goes wrong at first. */
export interface Section {
  readonly program: string
  readonly mistakes: readonly Mistake[]
}

const head = `# Troubleshooting

First mistakes, what you see then, and what helps. Each block below is what the program
prints: a test makes every one of these mistakes and compares.

`

/** The page, with what is seen of each mistake. */
export function pageOf(
  sections: readonly Section[],
  seenOf: (section: Section, mistake: Mistake) => Seen['text'],
): string {
  const filled = sections.filter(({ mistakes }) => mistakes.length > 0)
  const links = filled.map(({ program }) => `[${program}](#${program})`).join(' · ')
  const texts = filled.map((section) => {
    const parts = section.mistakes.map((mistake) => part(mistake, seenOf(section, mistake)))
    return `## ${section.program}\n\n${parts.join('\n')}`
  })
  return `${head}- ${links}\n\n${texts.join('\n')}`
}

function part({ title, command, advice }: Mistake, seen: string): string {
  return `### ${title}\n\n${blockOf(command, seen)}\n${advice}\n`
}

/** Without blanks at the end of lines, which editors remove. */
function blockOf(command: string, seen: string): string {
  const text = `$ ${command}\n${seen}`.replace(/[ \t]+$/gm, '').trimEnd()
  return `\`\`\`text\n${text}\n\`\`\`\n`
}

/** What the page shows of a mistake now; null if it does not have it. */
export function shownIn(page: string, { program }: Section, mistake: Mistake): string | null {
  const section = page.split(/^## /m).find((text) => text.startsWith(`${program}\n`))
  const found = section?.split(/^### /m).find((text) => text.startsWith(`${mistake.title}\n`))
  const block = /^```text\n(.*?)^```\n/ms.exec(found ?? '')?.[1]
  const first = `$ ${mistake.command}\n`
  return block?.startsWith(first) ? block.slice(first.length) : null
}
