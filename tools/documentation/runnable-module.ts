import { type CodeBlock, codeBlocks } from './code-blocks.js'

export const runnableBlocks = (markdown: string): CodeBlock[] =>
  codeBlocks(markdown).filter(({ info }) => info === 'ts runnable')

const assertion = /^(.*?);?\s*\/\/ => (.*)$/
const declaration = /^\s*(?:export\s+)?(?:const|let)\s+([A-Za-z_$][\w$]*)/

/**
 * A block as a module whose lines with `// => value` check that value. The expression, or the
 * variable that the line declares, must be on that one line.
 */
export function moduleOf({ lines, line }: CodeBlock): string {
  const body = lines.map((text, index) => {
    const match = assertion.exec(text)
    if (match === null) return text
    const [, code, value] = match as unknown as [string, string, string]
    const name = declaration.exec(code)?.[1]
    const where = line + index
    if (name === undefined) return `__check(${where}, (${code}), (${value}))`
    return `${code}; __check(${where}, ${name}, (${value}))`
  })
  const checker = `const __check = globalThis.__checkDocumentation`
  const imports = body.filter((text) => text.startsWith('import '))
  const rest = body.filter((text) => !text.startsWith('import '))
  return [...imports, checker, ...rest, ''].join('\n')
}
