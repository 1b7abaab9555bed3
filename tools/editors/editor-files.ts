import { kronJobEditorSchema } from './kronjob-schema.ts'
import { krontabGrammar } from './krontab-grammar.ts'

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/** The files below `editors/` that are generated from code, by their path there. */
export const editorFiles: ReadonlyMap<string, string> = new Map([
  ['kronjob.schema.json', json(kronJobEditorSchema)],
  ['krontab.tmLanguage.json', json(krontabGrammar)],
  // An extension can't point at files outside of its folder.
  ['vscode/krontab.tmLanguage.json', json(krontabGrammar)],
])
