/** The simple commands of a shell text, each as its words. Only good enough to name things. */
export function simpleCommands(text: string): string[][] {
  const commands: string[][] = [[]]
  const token =
    /[;&|(){}\n]|(?:\$\(\([^()]*\)\)|\$\([^()]*\)|[^\s;&|(){}"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+|["'\\]/gs
  for (const [found] of text.matchAll(token)) {
    if (/^[;&|(){}\n]$/.test(found)) commands.push([])
    else commands.at(-1)?.push(found.replace(/["'\\]/g, ''))
  }
  return commands.map(withoutRedirections).filter((words) => words.length > 0)
}

function withoutRedirections(words: readonly string[]): string[] {
  const kept: string[] = []
  for (let at = 0; at < words.length; at++) {
    const isRedirection = /^\d*[<>]/.test(words[at]!)
    if (!isRedirection) kept.push(words[at]!)
    else if (/^\d*[<>]+$/.test(words[at]!)) at++
  }
  return kept
}
