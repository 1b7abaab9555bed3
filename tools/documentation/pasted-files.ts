import { codeBlocks } from './code-blocks.ts'

/** Files that a reader writes by pasting `cat > name <<'END'` of `sh` blocks, by their names. */
export function pastedFiles(markdown: string): Map<string, string> {
  const blocks = codeBlocks(markdown).filter(({ info }) => info.split(' ')[0] === 'sh')
  const texts = blocks.map(({ lines }) => `${lines.join('\n')}\n`)
  return new Map(
    texts.flatMap((text) =>
      [...text.matchAll(/^cat > (\S+) <<'END'\n(.*?)^END$/gms)].map(
        ([, name, content]) => [name!, content!] as const,
      ),
    ),
  )
}
