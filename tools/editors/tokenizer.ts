import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import oniguruma from 'vscode-oniguruma'
import textmate from 'vscode-textmate'
import { scopeName } from './krontab-grammar.ts'

/** A piece of a line with the innermost scope that it has, without the name of the language. */
export interface Token {
  readonly text: string
  readonly scopes: readonly string[]
}

/** Tokenizes lines of a krontab as VS Code does. */
export async function krontabTokenizer(grammarText: string): Promise<(line: string) => Token[]> {
  const binary = createRequire(import.meta.url).resolve('vscode-oniguruma/release/onig.wasm')
  await oniguruma.loadWASM(readFileSync(binary))
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async () => textmate.parseRawGrammar(grammarText, 'krontab.tmLanguage.json'),
  })
  const grammar = await registry.loadGrammar(scopeName)
  return (line) => {
    const { tokens, ruleStack } = grammar!.tokenizeLine(line, textmate.INITIAL)
    if (ruleStack.depth !== 1) throw new Error(`goes on in the next line: ${line}`)
    return tokens.map(({ startIndex, endIndex, scopes }) => ({
      text: line.slice(startIndex, endIndex),
      scopes,
    }))
  }
}
